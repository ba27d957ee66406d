// DropIdentities.cpp: sg-drop-identities.
//
//   %1 = sg.dropout(%0) {p = 0.5}        users of %1 read %0
//
// An operator declares by getPassThrough() which operand its result simply is in
// prediction; labels lose their last reader this way.
#include "ir/GraphDialect.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_DROPIDENTITIES
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

struct DropIdentities : symc::impl::DropIdentitiesBase<DropIdentities> {
  void runOnOperation() override {
    getOperation().walk([](OperatorInterface node) {
      Value source = node.getPassThrough();
      if (!source || source.getType() != node->getResult(0).getType())
        return;
      node->getResult(0).replaceAllUsesWith(source);
      node->erase();
    });
  }
};

} // namespace
