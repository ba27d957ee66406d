// ShapeText.h: `--shape NAME=1,3,64..1080,0`, one grammar for every tool.
#ifndef SYMC_TOOLS_DRIVER_SHAPETEXT_H
#define SYMC_TOOLS_DRIVER_SHAPETEXT_H

#include "frontend/import/Importer.h"

namespace symc {

/// Appends the extents behind `NAME=`, separated by commas: a number (0: inference
/// finds it) or a range LOW..HIGH, 1 <= LOW <= HIGH, chosen at run time. Nothing is
/// a shape without extents. False where the text is no shape.
bool parseShape(llvm::StringRef text, std::vector<DimSpec> &shape);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_SHAPETEXT_H
