// OpTable.h: the op table as data, generated from the ODS operations. Lookup
// by any MXNet name, exact parsing of MXNet's attribute strings, and a view of
// an operator's parameters with defaults filled in.
#ifndef SYMC_IR_OPTABLE_H
#define SYMC_IR_OPTABLE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <limits>

namespace symc::sg {

/// A None element of a tuple of optional integers, or None for a parameter that takes it
/// beside a default that is a number (acceptsNone).
inline constexpr int64_t kNoneElement = std::numeric_limits<int64_t>::min();
/// An extent of a shape that the type of the result holds: a run chooses it.
inline constexpr int64_t kOpenExtent = -1;

enum class ParamKind { Int, Uint, Float, Double, Bool, Enum, Tuple, Floats, String };

struct ParamInfo {
  llvm::StringRef name;
  ParamKind kind;
  bool optional;           // None allowed
  const char *defaultText; // MXNet's spelling; null: required
  const char *min, *max;   // inclusive, as text; null: unbounded
  llvm::ArrayRef<const char *> enumNames;
  llvm::StringRef doc;
  bool acceptsNone; // None allowed, for elements of a tuple too; it is kNoneElement then
  bool internal;    // no parameter of MXNet: files cannot give it
};

enum class ValueKind { Single, Optional, Variadic };

struct ValueInfo {
  llvm::StringRef name;
  ValueKind kind;
  bool auxiliary;
  bool trainingOnly; // never read in prediction
  const char *init;  // MXNet's initialiser that the operator decides, or null
};

struct OpInfo {
  llvm::StringRef mnemonic; // "fully_connected"
  llvm::StringRef mlirName; // "sg.fully_connected"
  llvm::StringRef family;   // "Nn"
  llvm::StringRef summary;
  llvm::StringRef description;
  llvm::ArrayRef<ValueInfo> operands;
  llvm::ArrayRef<ValueInfo> results;
  llvm::ArrayRef<ParamInfo> params;
  llvm::ArrayRef<const char *> hints;       // accepted and ignored
  llvm::ArrayRef<const char *> resultNames; // of a variadic result, if it has names
  llvm::StringRef variadicCount;            // "num_args" or ""
  int hiddenResults;
  llvm::ArrayRef<const char *> showHidden; // "output_mean_var=true": makes those results
  llvm::ArrayRef<const char *> updates;    // operands whose new values are the last results
  llvm::StringRef library;                 // that the kernel calls: "lapack" or ""
  bool ownsGraphs;                         // nodes of the file own the graphs that they call
  llvm::StringRef
      gradient; // "rule", "zero", "none", "rewritten" (GraphBase.td), "" not written yet

  const ParamInfo *findParam(llvm::StringRef name) const;
  /// MXNet's name of result `i` of `count`: "output", "mean", "output1".
  std::string resultName(int64_t i, int64_t count) const;
};

/// One registered MXNet name and what it fixes.
struct OpName {
  llvm::StringRef name;
  llvm::StringRef canonical; // the name of which this is an alias, or itself
  const OpInfo *info;
  llvm::ArrayRef<const char *> presets; // "fn=add"

  /// What MXNet calls an operand, where one operation stands for operators that give it different
  /// names: `low` for `first` of _sample_uniform.
  llvm::StringRef inputName(llvm::StringRef operand) const;
};

/// All operations, by mnemonic; all names, sorted.
llvm::ArrayRef<OpInfo> allOps();
llvm::ArrayRef<OpName> allOpNames();
/// The operator of that MXNet name, or null.
const OpName *lookupOp(llvm::StringRef mxnetName);
/// The operation's table row; null for operations that no MXNet name reaches.
const OpInfo *lookupMnemonic(llvm::StringRef mnemonic);
/// The registered name nearest to a misspelt one, or "".
llvm::StringRef suggestOp(llvm::StringRef unknown);

/// Parses MXNet's text of a parameter. On failure returns a null attribute and
/// sets `message` ("parameter 'num_hidden' expects an int, found 'abc'").
/// An optional parameter's None gives a null attribute and no message. Elements of a tuple that
/// takes None are places, and one beyond kMostElements is as far as that.
mlir::Attribute parseParam(const ParamInfo &param, llvm::StringRef text, mlir::MLIRContext *context,
                           std::string &message);

/// What is wrong with a value of the parameter's kind, or "": a number outside of its range; a
/// name that the parameter does not list; an element of a tuple that is None where the parameter
/// does not take it, or lies beyond kMostElements, which no extent, step or place reaches.
std::string checkValue(const ParamInfo &param, mlir::Attribute value);

/// Parameters of an operator with defaults filled in.
class ParamView {
public:
  ParamView(const OpInfo &info, mlir::DictionaryAttr attrs) : info(info), attrs(attrs) {}
  const OpInfo &op() const { return info; }
  /// The attribute, else the parsed default, else null (None).
  mlir::Attribute get(llvm::StringRef name) const;
  bool isNone(llvm::StringRef name) const { return !get(name); }
  int64_t getInt(llvm::StringRef name) const;
  double getFloat(llvm::StringRef name) const;
  bool getBool(llvm::StringRef name) const;
  llvm::StringRef getStr(llvm::StringRef name) const;
  llvm::ArrayRef<int64_t> getTuple(llvm::StringRef name) const;
  llvm::ArrayRef<double> getFloats(llvm::StringRef name) const;

private:
  const OpInfo &info;
  mlir::DictionaryAttr attrs;
};

} // namespace symc::sg

#endif // SYMC_IR_OPTABLE_H
