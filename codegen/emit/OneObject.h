// OneObject.h: several objects of one model as one, in which nothing is seen from
// outside but what the model shows.
#ifndef SYMC_CODEGEN_EMIT_ONEOBJECT_H
#define SYMC_CODEGEN_EMIT_ONEOBJECT_H

#include "codegen/emit/Code.h"
#include "codegen/emit/Link.h"
#include "codegen/emit/OutputFile.h"

namespace symc::codegen {

/// Files in memory with these bytes, as inputs of `request`; they live as long as the result.
llvm::Expected<std::vector<UnnamedFile>> addInputs(LinkRequest &request,
                                                   llvm::ArrayRef<FileBytes> objects);

/// Links `objects` and what they need of the runtime's `parts` ("core.o") relocatably and makes
/// hidden symbols local. Sections stay that `visible` names or constructors need. request.output
/// is written on the way and may be written again.
llvm::Expected<FileBytes> oneObject(llvm::ArrayRef<FileBytes> objects,
                                    llvm::ArrayRef<std::string> parts,
                                    llvm::ArrayRef<std::string> visible, LinkRequest request,
                                    const Resources &resources);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_ONEOBJECT_H
