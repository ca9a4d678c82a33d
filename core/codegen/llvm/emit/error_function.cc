// SPDX-License-Identifier: Apache-2.0
//
// erf. Gelu evaluates it on every element of a transformer's first matrix product, which takes a
// third of that product's time where the reduction is short: so instructions count. Where the
// target can look up a whole vector in a table, each lane evaluates the polynomial of its piece,
// within 1 ulp; other targets evaluate both of two formulas and select
// (docs/decisions/0036-piecewise-erf.md).
#include "core/codegen/llvm/emit/vector_math.h"
#include "core/codegen/llvm/emit/vector_steps.h"

namespace dovetail::codegen {
namespace {

using Builder = llvm::IRBuilder<>;

// erf(c + t), c = n·17/32 for piece n, |t| <= 17/64: the highest coefficient of t first, the least
// squares fit of erf to relative errors at 2,000 Chebyshev nodes of each piece (in the first piece,
// odd powers only). The last piece is 1 to a float's precision from 3.96 on. In the first piece t
// dominates the value: it is added last, unrounded, and the coefficient here is one less.
constexpr double kPiece = 0.53125;
constexpr double kLast = 3.97;
constexpr std::array<LookupTable, 8> kPieces = {{
    {-0.026139779F, 0.00687388098F, 0.0124437716F, -0.00574777694F, -0.0019143367F, 0.000663571409F,
     0.000218664776F, 2.04012758e-05F},
    {0, -0.0472906418F, 0.00990814529F, 0.0156043936F, -0.00162791694F, -0.00209706579F,
     -0.000360980164F, -2.50233061e-05F},
    {0.112805992F, -0.00184196385F, -0.0662813932F, -0.00497636059F, 0.0124978879F, 0.00381171145F,
     0.00042751318F, 2.22786803e-05F},
    {0, 0.183440521F, 0.0479929298F, -0.0491611585F, -0.026369337F, -0.00478745904F,
     -0.000401014811F, -1.69291161e-05F},
    {-0.376125932F, -0.123540476F, 0.152993321F, 0.12102589F, 0.033037357F, 0.00425345963F,
     0.000281096058F, 9.89266846e-06F},
    {0, -0.452047229F, -0.387709796F, -0.141824275F, -0.0262241233F, -0.00258516311F,
     -0.000139133554F, -4.140692e-06F},
    {0.128379166F, 0.850913942F, 0.364902884F, 0.088987723F, 0.0123408213F, 0.000973238202F,
     4.36470655e-05F, 1.11314091e-06F},
    {0, 0.547528446F, 0.867058277F, 0.975797713F, 0.997345984F, 0.999827683F, 0.999993443F,
     0.999999881F},
}};
constexpr LookupTable kOnes = {1};  // factor of the t added last, by piece

// Evaluates each lane's piece. Adding 1.5·2^23 leaves the piece in the low bits.
llvm::Value* erf_by_pieces(Builder& builder, llvm::Value* x) {
  constexpr double kRounder = 12582912.0;
  llvm::Value* a = at_most(builder, magnitude(builder, x), kLast);
  llvm::Value* rounded = in_step(
      builder, emit_multiply_add(builder, a, constant(x, 1.0 / kPiece), constant(x, kRounder)));
  llvm::Value* n = builder.CreateFSub(rounded, constant(x, kRounder));
  llvm::Value* t = in_step(builder, emit_multiply_add(builder, n, constant(x, -kPiece), a));
  llvm::Type* integer = x->getType()->getWithNewType(builder.getInt32Ty());
  llvm::Value* piece = builder.CreateBitCast(rounded, integer);
  llvm::Value* sum = looked_up(builder, kPieces[0], piece);
  for (size_t k = 1; k + 1 < kPieces.size(); ++k)
    sum =
        in_step(builder, emit_multiply_add(builder, sum, t, looked_up(builder, kPieces[k], piece)));
  llvm::Value* middle =
      in_step(builder, emit_multiply_add(builder, looked_up(builder, kOnes, piece), t,
                                         looked_up(builder, kPieces.back(), piece)));
  return with_sign_of(builder, emit_multiply_add(builder, sum, t, middle), x);
}

// Beyond 475/512, 1 - exp of a polynomial; an odd polynomial below (the minimax pair of N. Juffa).
llvm::Value* erf_by_exp(Builder& builder, llvm::Value* x) {
  llvm::Value* a = magnitude(builder, x);
  llvm::Value* s = builder.CreateFMul(x, x);
  llvm::Value* high =
      emit_multiply_add(builder, constant(x, -1.72853470e-5), a, constant(x, 3.83197126e-4));
  llvm::Value* low =
      emit_multiply_add(builder, constant(x, -3.88396438e-3), a, constant(x, 2.42546219e-2));
  llvm::Value* far = emit_multiply_add(builder, high, s, low);
  for (const double c : {-1.06777877e-1, -6.34846687e-1, -1.28717512e-1})
    far = in_step(builder, emit_multiply_add(builder, far, a, constant(x, c)));
  far = emit_multiply_add(builder, far, a, builder.CreateFNeg(a));
  // Beyond -87 the difference is 1, as at -87.
  far = builder.CreateFSub(constant(x, 1.0), exp_within(builder, at_least(builder, far, -87.0)));
  llvm::Value* near = polynomial(builder, s,
                                 {-5.96761703e-4, 4.99119423e-3, -2.67681349e-2, 1.12819925e-1,
                                  -3.76125336e-1, 1.28379166e-1});
  near = emit_multiply_add(builder, near, x, x);
  llvm::Value* is_far = builder.CreateFCmpOGT(a, constant(x, 0.927734375));
  return with_sign_of(builder, builder.CreateSelect(is_far, far, near), x);
}

}  // namespace

llvm::Value* emit_erf(Builder& builder, llvm::Value* x) {
  return can_look_up(builder, x->getType()) ? erf_by_pieces(builder, x) : erf_by_exp(builder, x);
}

}  // namespace dovetail::codegen
