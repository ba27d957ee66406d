// CHeaderTexts.h: the parts of a model's header whose text is fixed but for the prefix of its names
// (CHeader.cpp puts it in and chooses the parts).
#ifndef SYMC_CODEGEN_EMIT_CHEADERTEXTS_H
#define SYMC_CODEGEN_EMIT_CHEADERTEXTS_H

namespace symc::codegen {

extern const char typesText[], spansText[], createText[], runText[], errorText[], extentsText[],
    statesText[], parametersText[], statusText[], gradientText[], trainingText[], prepareText[];

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_CHEADERTEXTS_H
