// Forms.h: a model as it was compiled for some shapes and outputs, and where forms come from: one
// that is alive in this process, the cache on disk, or the compiler.
#ifndef SYMC_TOOLS_PREDICT_FORMS_H
#define SYMC_TOOLS_PREDICT_FORMS_H

#include "codegen/emit/InProcess.h"
#include "symc/runtime.h"
#include "tools/driver/Compiler.h"
#include "tools/predict/Source.h"

namespace symc::predict {

/// What is compiled of a source.
struct FormSpec {
  std::map<std::string, std::vector<DimSpec>> shapes;
  std::map<std::string, int> types; // MXNet's type flags
  std::vector<std::string> outputs; // of these nodes; empty: the symbol's own
  bool internals = false;           // behind these the outputs of every node

  /// "data=1,3,224,224 outputs=fc1", in lists of the cache.
  std::string text() const;
};

/// Code and weights, which handles share, and contexts that nobody uses at the moment: a run takes
/// one and gives it back, so that as many exist as runs happened at once.
class Form {
public:
  ~Form();
  Form(const Form &) = delete;

  const symc_model &table() const { return *model; }

  /// The way to use a context, for the length of its life. Null where `error` states why. With
  /// `own` that one, which is made where there is none.
  class Lease {
  public:
    Lease(Form &form, std::string &error, std::shared_ptr<symc_context> *own = nullptr);
    ~Lease();
    Lease(const Lease &) = delete;
    symc_context *get() const { return context; }

  private:
    Form &form;
    symc_context *context = nullptr;
    bool owned;
  };

private:
  friend class FormMaker;
  Form() = default;

  const symc_model *model = nullptr; // of a library, which stays loaded, or of `loaded`
  PreparedWeights weights;
  std::unique_ptr<codegen::InProcess> loaded;
  std::mutex mutex;
  std::vector<symc_context *> idle;
};

/// Whether findForm may compile.
enum class Effort { Find, Compile };

/// Null for Effort::Find where there is none yet. Thread-safe; one compilation at a time.
llvm::Expected<std::shared_ptr<Form>> findForm(Source &source, const FormSpec &spec,
                                               Effort effort = Effort::Compile);

/// Whether what is compiled stays for other processes.
bool keepsForms();

} // namespace symc::predict

#endif // SYMC_TOOLS_PREDICT_FORMS_H
