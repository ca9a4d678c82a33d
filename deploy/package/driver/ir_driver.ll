; SPDX-License-Identifier: Apache-2.0
; The part of a package's driver that is the same in all, for the name `pkgname`. Written by
; scripts/make-ir-driver with clang 19, from C with this SHA-256:
;   da1d40e9a013a9042714f4cc5df6aae3e8414a61375abba6e482b4c858a64ebe

%struct.pkgname_arena = type { i64, i64 }
%struct.pkgname_code = type { ptr, i64, ptr, ptr, ptr, ptr, i64, i32 }
%struct.pkgname_place = type { i16, i32 }
%struct.pkgname_launch = type { ptr, i64, i32, i32, i32 }
%struct.pkgname_need = type { i32, i32, i32, i32 }

@.str = private unnamed_addr constant [12 x i8] c"all is well\00", align 1
@.str.1 = private unnamed_addr constant [21 x i8] c"a pointer is missing\00", align 1
@.str.2 = private unnamed_addr constant [56 x i8] c"workspace or weights are no multiple of their alignment\00", align 1
@.str.3 = private unnamed_addr constant [40 x i8] c"these are not the weights of this build\00", align 1
@.str.4 = private unnamed_addr constant [37 x i8] c"a byte of the weights is another one\00", align 1
@.str.5 = private unnamed_addr constant [41 x i8] c"this processor lacks what the code needs\00", align 1
@.str.6 = private unnamed_addr constant [61 x i8] c"an output or the workspace lies over other memory of the run\00", align 1
@.str.7 = private unnamed_addr constant [26 x i8] c"no status of this package\00", align 1

define ptr @pkgname_status_text(i32 %0) {
  switch i32 %0, label %8 [
    i32 0, label %9
    i32 -1, label %2
    i32 -2, label %3
    i32 -3, label %4
    i32 -4, label %5
    i32 -5, label %6
    i32 -6, label %7
  ]

2:
  br label %9

3:
  br label %9

4:
  br label %9

5:
  br label %9

6:
  br label %9

7:
  br label %9

8:
  br label %9

9:
  %10 = phi ptr [ @.str.7, %8 ], [ @.str.6, %7 ], [ @.str.5, %6 ], [ @.str.4, %5 ], [ @.str.3, %4 ], [ @.str.2, %3 ], [ @.str.1, %2 ], [ @.str, %1 ]
  ret ptr %10
}

define internal i32 @pkgname_enter_init(ptr %0, ptr %1, i64 %2) {
  %4 = icmp eq ptr %0, null
  br i1 %4, label %85, label %5

5:
  %6 = load i32, ptr @pkgname_count_weights_files, align 4
  %7 = icmp sgt i32 %6, 1
  %8 = icmp eq ptr %1, null
  %9 = and i1 %8, %7
  br i1 %9, label %85, label %10

10:
  %11 = icmp eq i32 %6, 1
  %12 = shl nsw i32 %6, 1
  %13 = add nsw i32 %12, 6
  %14 = select i1 %11, i32 7, i32 %13
  %15 = icmp sgt i32 %14, 0
  br i1 %15, label %16, label %18

16:
  %17 = zext nneg i32 %14 to i64
  br label %23

18:
  %19 = icmp sgt i32 %6, 0
  br i1 %19, label %20, label %53

20:
  %21 = zext nneg i32 %6 to i64
  %22 = zext nneg i32 %6 to i64
  br label %32

23:
  %24 = phi i64 [ 0, %16 ], [ %26, %23 ]
  %25 = getelementptr inbounds ptr, ptr %0, i64 %24
  store ptr null, ptr %25, align 8
  %26 = add nuw nsw i64 %24, 1
  %27 = icmp eq i64 %26, %17
  br i1 %27, label %18, label %23

28:
  %29 = add nuw nsw i64 %33, 1
  %30 = icmp ult i64 %29, %21
  %31 = icmp eq i64 %29, %22
  br i1 %31, label %53, label %32

32:
  %33 = phi i64 [ 0, %20 ], [ %29, %28 ]
  %34 = phi i1 [ %19, %20 ], [ %30, %28 ]
  %35 = phi i32 [ undef, %20 ], [ %52, %28 ]
  br i1 %7, label %36, label %46

36:
  %37 = shl nuw nsw i64 %33, 1
  %38 = getelementptr inbounds ptr, ptr %1, i64 %37
  %39 = load ptr, ptr %38, align 8
  %40 = or disjoint i64 %37, 1
  %41 = getelementptr inbounds ptr, ptr %1, i64 %40
  %42 = load ptr, ptr %41, align 8
  %43 = ptrtoint ptr %42 to i64
  %44 = trunc nuw nsw i64 %33 to i32
  %45 = tail call fastcc i32 @pkgname_check_file(ptr %39, i64 %43, i32 %44)
  br label %49

46:
  %47 = trunc nuw nsw i64 %33 to i32
  %48 = tail call fastcc i32 @pkgname_check_file(ptr %1, i64 %2, i32 %47)
  br label %49

49:
  %50 = phi i32 [ %45, %36 ], [ %48, %46 ]
  %51 = icmp eq i32 %50, 0
  %52 = select i1 %51, i32 %35, i32 %50
  br i1 %51, label %28, label %53

53:
  %54 = phi i1 [ %19, %18 ], [ %34, %49 ], [ %30, %28 ]
  %55 = phi i32 [ undef, %18 ], [ %52, %28 ], [ %52, %49 ]
  br i1 %54, label %85, label %56

56:
  %57 = load i32, ptr @pkgname_is_choosing, align 4
  %58 = icmp eq i32 %57, 0
  br i1 %58, label %72, label %59

59:
  %60 = tail call fastcc ptr @pkgname_choose()
  %61 = icmp eq ptr %60, null
  br i1 %61, label %70, label %62

62:
  %63 = load i32, ptr @pkgname_count_variants, align 4
  %64 = icmp sgt i32 %63, 1
  br i1 %64, label %65, label %70

65:
  %66 = add nsw i32 %12, 2
  %67 = select i1 %11, i32 3, i32 %66
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds ptr, ptr %0, i64 %68
  store ptr %60, ptr %69, align 8
  br label %70

70:
  %71 = phi i32 [ -5, %59 ], [ %55, %65 ], [ %55, %62 ]
  br i1 %61, label %85, label %72

72:
  br i1 %11, label %73, label %74

73:
  store ptr %1, ptr %0, align 8
  br label %74

74:
  br i1 %7, label %75, label %85

75:
  %76 = zext nneg i32 %12 to i64
  br label %77

77:
  %78 = phi i64 [ 0, %75 ], [ %82, %77 ]
  %79 = getelementptr inbounds ptr, ptr %1, i64 %78
  %80 = load ptr, ptr %79, align 8
  %81 = getelementptr inbounds ptr, ptr %0, i64 %78
  store ptr %80, ptr %81, align 8
  %82 = add nuw nsw i64 %78, 1
  %83 = icmp ult i64 %82, %76
  %84 = select i1 %7, i1 %83, i1 false
  br i1 %84, label %77, label %85

85:
  %86 = phi i32 [ %71, %70 ], [ %55, %53 ], [ -1, %5 ], [ -1, %3 ], [ 0, %74 ], [ 0, %77 ]
  ret i32 %86
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)

define internal fastcc i32 @pkgname_check_file(ptr %0, i64 %1, i32 %2) {
  %4 = icmp eq ptr %0, null
  br i1 %4, label %21, label %5

5:
  %6 = load i32, ptr @pkgname_count_workspaces, align 4
  %7 = add nsw i32 %6, %2
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [0 x %struct.pkgname_arena], ptr @pkgname_arenas, i64 0, i64 %8, i32 1
  %10 = load i64, ptr %9, align 8
  %11 = tail call fastcc i32 @pkgname_is_multiple(ptr %0, i64 %10)
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %21, label %13

13:
  %14 = getelementptr inbounds [0 x %struct.pkgname_arena], ptr @pkgname_arenas, i64 0, i64 %8
  %15 = load i64, ptr %14, align 8
  %16 = icmp eq i64 %15, %1
  br i1 %16, label %17, label %21

17:
  %18 = tail call fastcc i32 @pkgname_is_ours(ptr %0, i32 %2)
  %19 = icmp eq i32 %18, 0
  %20 = select i1 %19, i32 -3, i32 0
  br label %21

21:
  %22 = phi i32 [ %20, %17 ], [ -1, %3 ], [ -2, %5 ], [ -3, %13 ]
  ret i32 %22
}

define internal fastcc ptr @pkgname_choose() {
  %1 = load i32, ptr @pkgname_count_variants, align 4
  %2 = icmp sgt i32 %1, 0
  br i1 %2, label %3, label %21

3:
  %4 = zext nneg i32 %1 to i64
  br label %8

5:
  %6 = add nuw nsw i64 %9, 1
  %7 = icmp eq i64 %6, %4
  br i1 %7, label %21, label %8

8:
  %9 = phi i64 [ 0, %3 ], [ %6, %5 ]
  %10 = phi ptr [ undef, %3 ], [ %20, %5 ]
  %11 = getelementptr inbounds [0 x %struct.pkgname_code], ptr @pkgname_codes, i64 0, i64 %9
  %12 = getelementptr inbounds i8, ptr %11, i64 40
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr inbounds i8, ptr %11, i64 48
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds i8, ptr %11, i64 56
  %17 = load i32, ptr %16, align 8
  %18 = tail call fastcc i32 @pkgname_cpu_has(ptr %13, i64 %15, i32 %17)
  %19 = icmp eq i32 %18, 0
  %20 = select i1 %19, ptr %10, ptr %11
  br i1 %19, label %5, label %21

21:
  %22 = phi ptr [ null, %0 ], [ %20, %8 ], [ null, %5 ]
  ret ptr %22
}

define internal i32 @pkgname_enter_check_weights(ptr %0) {
  %2 = icmp eq ptr %0, null
  br i1 %2, label %24, label %3

3:
  %4 = load i32, ptr @pkgname_count_weights_files, align 4
  %5 = zext i32 %4 to i64
  %6 = tail call ptr @llvm.stacksave.p0()
  %7 = alloca ptr, i64 %5, align 16
  %8 = icmp sgt i32 %4, 0
  br i1 %8, label %9, label %12

9:
  %10 = icmp eq i32 %4, 1
  %11 = zext nneg i32 %4 to i64
  br label %14

12:
  %13 = call fastcc i32 @pkgname_check_bytes(ptr %7)
  tail call void @llvm.stackrestore.p0(ptr %6)
  br label %24

14:
  %15 = phi i64 [ 0, %9 ], [ %22, %14 ]
  %16 = shl nuw i64 %15, 1
  %17 = and i64 %16, 4294967294
  %18 = select i1 %10, i64 0, i64 %17
  %19 = getelementptr inbounds ptr, ptr %0, i64 %18
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds ptr, ptr %7, i64 %15
  store ptr %20, ptr %21, align 8
  %22 = add nuw nsw i64 %15, 1
  %23 = icmp eq i64 %22, %11
  br i1 %23, label %12, label %14

24:
  %25 = phi i32 [ %13, %12 ], [ -1, %1 ]
  ret i32 %25
}

declare ptr @llvm.stacksave.p0()

define internal fastcc i32 @pkgname_check_bytes(ptr %0) {
  %2 = load i32, ptr @pkgname_count_weights_files, align 4
  %3 = icmp sgt i32 %2, 0
  br i1 %3, label %4, label %30

4:
  %5 = load i32, ptr @pkgname_count_workspaces, align 4
  %6 = sext i32 %5 to i64
  %7 = zext nneg i32 %2 to i64
  br label %11

8:
  %9 = add nuw nsw i64 %12, 1
  %10 = icmp eq i64 %9, %7
  br i1 %10, label %30, label %11

11:
  %12 = phi i64 [ 0, %4 ], [ %9, %8 ]
  %13 = getelementptr inbounds ptr, ptr %0, i64 %12
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %14, null
  br i1 %15, label %30, label %16

16:
  %17 = trunc nuw nsw i64 %12 to i32
  %18 = tail call fastcc i32 @pkgname_is_ours(ptr %14, i32 %17)
  %19 = icmp eq i32 %18, 0
  br i1 %19, label %30, label %20

20:
  %21 = add nsw i64 %12, %6
  %22 = getelementptr inbounds [0 x %struct.pkgname_arena], ptr @pkgname_arenas, i64 0, i64 %21
  %23 = load i64, ptr %22, align 8
  %24 = add i64 %23, -64
  %25 = getelementptr inbounds i8, ptr %14, i64 64
  %26 = tail call fastcc i64 @pkgname_hash(ptr %25, i64 %24)
  %27 = getelementptr inbounds [0 x [64 x i8]], ptr @pkgname_headers, i64 0, i64 %12, i64 56
  %28 = tail call fastcc i64 @pkgname_word(ptr %27)
  %29 = icmp eq i64 %26, %28
  br i1 %29, label %8, label %30

30:
  %31 = phi i32 [ 0, %1 ], [ -4, %20 ], [ 0, %8 ], [ -1, %11 ], [ -3, %16 ]
  ret i32 %31
}

declare void @llvm.stackrestore.p0(ptr)

define internal i32 @pkgname_enter_run(ptr %0, ptr %1, ptr %2, ptr %3) {
  %5 = icmp eq ptr %0, null
  %6 = icmp eq ptr %1, null
  %7 = or i1 %5, %6
  %8 = icmp eq ptr %2, null
  %9 = or i1 %7, %8
  br i1 %9, label %79, label %10

10:
  %11 = load i32, ptr @pkgname_count_variants, align 4
  %12 = icmp sgt i32 %11, 1
  br i1 %12, label %13, label %23

13:
  %14 = load i32, ptr @pkgname_count_weights_files, align 4
  %15 = icmp eq i32 %14, 1
  %16 = shl nsw i32 %14, 1
  %17 = add nsw i32 %16, 2
  %18 = select i1 %15, i32 3, i32 %17
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds ptr, ptr %0, i64 %19
  %21 = load ptr, ptr %20, align 8
  %22 = icmp eq ptr %21, null
  br i1 %22, label %79, label %23

23:
  %24 = load i32, ptr @pkgname_is_internal, align 4
  %25 = icmp eq i32 %24, 0
  %26 = load i32, ptr @pkgname_count_workspaces, align 4
  %27 = icmp sgt i32 %26, 1
  %28 = select i1 %25, i1 %27, i1 false
  %29 = icmp eq ptr %3, null
  %30 = and i1 %29, %28
  br i1 %30, label %79, label %31

31:
  %32 = tail call fastcc ptr @pkgname_code_of(ptr %0)
  %33 = load i32, ptr @pkgname_count_arenas, align 4
  %34 = zext i32 %33 to i64
  %35 = tail call ptr @llvm.stacksave.p0()
  %36 = alloca ptr, i64 %34, align 16
  call fastcc void @pkgname_find_arenas(ptr %0, ptr %3, ptr %36)
  %37 = load i32, ptr @pkgname_count_tensors, align 4
  %38 = add nsw i32 %37, 1
  %39 = zext i32 %38 to i64
  %40 = alloca ptr, i64 %39, align 16
  %41 = icmp sgt i32 %37, 0
  br i1 %41, label %42, label %47

42:
  %43 = load i32, ptr @pkgname_count_inputs, align 4
  %44 = sext i32 %43 to i64
  %45 = sext i32 %43 to i64
  %46 = zext nneg i32 %37 to i64
  br label %50

47:
  %48 = call fastcc i32 @pkgname_check(ptr %32, ptr %36, ptr %40)
  %49 = icmp eq i32 %48, 0
  br i1 %49, label %61, label %77

50:
  %51 = phi i64 [ 0, %42 ], [ %59, %50 ]
  %52 = icmp slt i64 %51, %45
  %53 = getelementptr inbounds ptr, ptr %1, i64 %51
  %54 = sub nsw i64 %51, %44
  %55 = getelementptr inbounds ptr, ptr %2, i64 %54
  %56 = select i1 %52, ptr %53, ptr %55
  %57 = load ptr, ptr %56, align 8
  %58 = getelementptr inbounds ptr, ptr %40, i64 %51
  store ptr %57, ptr %58, align 8
  %59 = add nuw nsw i64 %51, 1
  %60 = icmp eq i64 %59, %46
  br i1 %60, label %47, label %50

61:
  %62 = load i32, ptr @pkgname_count_bases, align 4
  %63 = zext i32 %62 to i64
  %64 = alloca ptr, i64 %63, align 16
  %65 = load i32, ptr @pkgname_count_most_buffers, align 4
  %66 = zext i32 %65 to i64
  %67 = alloca ptr, i64 %66, align 16
  call fastcc void @pkgname_find_bases(ptr %32, ptr %36, ptr %40, ptr %64)
  %68 = load i32, ptr @pkgname_count_weights_files, align 4
  %69 = icmp eq i32 %68, 1
  %70 = shl nsw i32 %68, 1
  %71 = select i1 %69, i32 1, i32 %70
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds ptr, ptr %0, i64 %72
  %74 = load ptr, ptr %73, align 8
  %75 = getelementptr i8, ptr %73, i64 8
  %76 = load ptr, ptr %75, align 8
  call fastcc void @pkgname_launch_all(ptr %32, ptr %64, ptr %74, ptr %76, ptr %67)
  call fastcc void @pkgname_give_outputs(ptr %64, ptr %40)
  br label %77

77:
  %78 = phi i32 [ 0, %61 ], [ %48, %47 ]
  call void @llvm.stackrestore.p0(ptr %35)
  br label %79

79:
  %80 = phi i32 [ %78, %77 ], [ -1, %4 ], [ -1, %13 ], [ -1, %23 ]
  ret i32 %80
}

define internal fastcc ptr @pkgname_code_of(ptr %0) {
  %2 = load i32, ptr @pkgname_count_variants, align 4
  %3 = icmp sgt i32 %2, 1
  br i1 %3, label %4, label %13

4:
  %5 = load i32, ptr @pkgname_count_weights_files, align 4
  %6 = icmp eq i32 %5, 1
  %7 = shl nsw i32 %5, 1
  %8 = add nsw i32 %7, 2
  %9 = select i1 %6, i32 3, i32 %8
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds ptr, ptr %0, i64 %10
  %12 = load ptr, ptr %11, align 8
  br label %13

13:
  %14 = phi ptr [ %12, %4 ], [ @pkgname_codes, %1 ]
  ret ptr %14
}

define internal fastcc void @pkgname_find_arenas(ptr %0, ptr %1, ptr %2) {
  %4 = load i32, ptr @pkgname_count_workspaces, align 4
  %5 = icmp sgt i32 %4, 0
  br i1 %5, label %6, label %11

6:
  %7 = load i32, ptr @pkgname_is_internal, align 4
  %8 = icmp eq i32 %7, 0
  %9 = icmp eq i32 %4, 1
  %10 = zext nneg i32 %4 to i64
  br label %21

11:
  %12 = icmp ne ptr %0, null
  %13 = load i32, ptr @pkgname_count_weights_files, align 4
  %14 = icmp sgt i32 %13, 0
  %15 = select i1 %12, i1 %14, i1 false
  br i1 %15, label %16, label %36

16:
  %17 = icmp sgt i32 %13, 1
  %18 = sext i32 %4 to i64
  %19 = zext nneg i32 %13 to i64
  %20 = getelementptr ptr, ptr %2, i64 %18
  br label %37

21:
  %22 = phi i64 [ 0, %6 ], [ %34, %31 ]
  br i1 %8, label %25, label %23

23:
  %24 = getelementptr inbounds [0 x ptr], ptr @pkgname_own, i64 0, i64 %22
  br label %28

25:
  br i1 %9, label %31, label %26

26:
  %27 = getelementptr inbounds ptr, ptr %1, i64 %22
  br label %28

28:
  %29 = phi ptr [ %27, %26 ], [ %24, %23 ]
  %30 = load ptr, ptr %29, align 8
  br label %31

31:
  %32 = phi ptr [ %1, %25 ], [ %30, %28 ]
  %33 = getelementptr inbounds ptr, ptr %2, i64 %22
  store ptr %32, ptr %33, align 8
  %34 = add nuw nsw i64 %22, 1
  %35 = icmp eq i64 %34, %10
  br i1 %35, label %11, label %21

36:
  ret void

37:
  %38 = phi i64 [ 0, %16 ], [ %45, %37 ]
  %39 = shl nuw i64 %38, 1
  %40 = and i64 %39, 4294967294
  %41 = select i1 %17, i64 %40, i64 0
  %42 = getelementptr inbounds ptr, ptr %0, i64 %41
  %43 = load ptr, ptr %42, align 8
  %44 = getelementptr ptr, ptr %20, i64 %38
  store ptr %43, ptr %44, align 8
  %45 = add nuw nsw i64 %38, 1
  %46 = icmp ult i64 %45, %19
  %47 = select i1 %12, i1 %46, i1 false
  br i1 %47, label %37, label %36
}

define internal fastcc i32 @pkgname_check(ptr %0, ptr %1, ptr %2) {
  %4 = tail call fastcc i32 @pkgname_check_arenas(ptr %1)
  %5 = load i32, ptr @pkgname_count_tensors, align 4
  %6 = icmp ne i32 %4, 0
  %7 = icmp slt i32 %5, 1
  %8 = select i1 %7, i1 true, i1 %6
  br i1 %8, label %15, label %9

9:
  %10 = zext nneg i32 %5 to i64
  br label %19

11:
  %12 = add nuw nsw i64 %20, 1
  %13 = icmp uge i64 %12, %10
  %14 = select i1 %13, i1 true, i1 %6
  br i1 %14, label %15, label %19

15:
  %16 = icmp sgt i32 %5, 0
  %17 = icmp eq i32 %4, 0
  %18 = select i1 %16, i1 %17, i1 false
  br i1 %18, label %24, label %31

19:
  %20 = phi i64 [ 0, %9 ], [ %12, %11 ]
  %21 = getelementptr inbounds ptr, ptr %2, i64 %20
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %31, label %11

24:
  %25 = phi i32 [ %27, %24 ], [ 0, %15 ]
  %26 = tail call fastcc i32 @pkgname_check_tensor(ptr %0, ptr %1, ptr %2, i32 %25)
  %27 = add nuw nsw i32 %25, 1
  %28 = icmp slt i32 %27, %5
  %29 = icmp eq i32 %26, 0
  %30 = select i1 %28, i1 %29, i1 false
  br i1 %30, label %24, label %31

31:
  %32 = phi i32 [ %4, %15 ], [ %26, %24 ], [ -1, %19 ]
  ret i32 %32
}

define internal fastcc void @pkgname_find_bases(ptr %0, ptr %1, ptr %2, ptr %3) {
  %5 = load i32, ptr @pkgname_count_arenas, align 4
  %6 = icmp sgt i32 %5, 0
  br i1 %6, label %7, label %9

7:
  %8 = zext nneg i32 %5 to i64
  br label %18

9:
  %10 = load i32, ptr @pkgname_count_weights_files, align 4
  %11 = icmp sgt i32 %10, 0
  br i1 %11, label %12, label %25

12:
  %13 = getelementptr inbounds i8, ptr %0, i64 32
  %14 = load i32, ptr @pkgname_count_workspaces, align 4
  %15 = sext i32 %14 to i64
  %16 = zext nneg i32 %10 to i64
  %17 = getelementptr ptr, ptr %3, i64 %15
  br label %35

18:
  %19 = phi i64 [ 0, %7 ], [ %23, %18 ]
  %20 = getelementptr inbounds ptr, ptr %1, i64 %19
  %21 = load ptr, ptr %20, align 8
  %22 = getelementptr inbounds ptr, ptr %3, i64 %19
  store ptr %21, ptr %22, align 8
  %23 = add nuw nsw i64 %19, 1
  %24 = icmp eq i64 %23, %8
  br i1 %24, label %9, label %18

25:
  %26 = load i32, ptr @pkgname_count_tensors, align 4
  %27 = icmp sgt i32 %26, 0
  br i1 %27, label %28, label %45

28:
  %29 = getelementptr inbounds i8, ptr %0, i64 24
  %30 = load i32, ptr @pkgname_count_inputs, align 4
  %31 = sext i32 %5 to i64
  %32 = sext i32 %30 to i64
  %33 = zext nneg i32 %26 to i64
  %34 = getelementptr ptr, ptr %3, i64 %31
  br label %46

35:
  %36 = phi i64 [ 0, %12 ], [ %43, %35 ]
  %37 = load ptr, ptr %13, align 8
  %38 = getelementptr inbounds i64, ptr %37, i64 %36
  %39 = load i64, ptr %38, align 8
  %40 = getelementptr ptr, ptr %17, i64 %36
  %41 = load ptr, ptr %40, align 8
  %42 = getelementptr inbounds i8, ptr %41, i64 %39
  store ptr %42, ptr %40, align 8
  %43 = add nuw nsw i64 %36, 1
  %44 = icmp eq i64 %43, %16
  br i1 %44, label %25, label %35

45:
  ret void

46:
  %47 = phi i64 [ 0, %28 ], [ %66, %65 ]
  %48 = getelementptr ptr, ptr %34, i64 %47
  %49 = getelementptr inbounds ptr, ptr %2, i64 %47
  %50 = load ptr, ptr %49, align 8
  store ptr %50, ptr %48, align 8
  %51 = load ptr, ptr %49, align 8
  %52 = tail call fastcc i32 @pkgname_is_multiple(ptr %51, i64 64)
  %53 = icmp eq i32 %52, 0
  br i1 %53, label %54, label %65

54:
  %55 = load ptr, ptr %29, align 8
  %56 = getelementptr inbounds %struct.pkgname_place, ptr %55, i64 %47
  %57 = load i64, ptr %56, align 4
  %58 = tail call fastcc ptr @pkgname_at(ptr %1, i64 %57)
  store ptr %58, ptr %48, align 8
  %59 = icmp slt i64 %47, %32
  br i1 %59, label %60, label %65

60:
  %61 = load ptr, ptr %49, align 8
  %62 = getelementptr inbounds [0 x i64], ptr @pkgname_tensor_bytes, i64 0, i64 %47
  %63 = load i64, ptr %62, align 8
  %64 = tail call ptr @memcpy(ptr %58, ptr %61, i64 %63)
  br label %65

65:
  %66 = add nuw nsw i64 %47, 1
  %67 = icmp eq i64 %66, %33
  br i1 %67, label %45, label %46
}

define internal fastcc void @pkgname_launch_all(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4) {
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  %7 = load i64, ptr %6, align 8
  %8 = icmp eq i64 %7, 0
  br i1 %8, label %12, label %9

9:
  %10 = getelementptr inbounds i8, ptr %0, i64 16
  %11 = icmp eq ptr %2, null
  br label %13

12:
  ret void

13:
  %14 = phi i64 [ 0, %9 ], [ %51, %50 ]
  %15 = load ptr, ptr %0, align 8
  %16 = getelementptr inbounds %struct.pkgname_launch, ptr %15, i64 %14
  %17 = getelementptr inbounds i8, ptr %16, i64 20
  %18 = load i32, ptr %17, align 4
  %19 = icmp eq i32 %18, 0
  br i1 %19, label %22, label %20

20:
  %21 = getelementptr inbounds i8, ptr %16, i64 16
  br label %23

22:
  br i1 %11, label %46, label %38

23:
  %24 = phi i64 [ 0, %20 ], [ %34, %23 ]
  %25 = load ptr, ptr %10, align 8
  %26 = load i32, ptr %21, align 8
  %27 = trunc nuw i64 %24 to i32
  %28 = add i32 %26, %27
  %29 = zext i32 %28 to i64
  %30 = getelementptr inbounds %struct.pkgname_place, ptr %25, i64 %29
  %31 = load i64, ptr %30, align 4
  %32 = tail call fastcc ptr @pkgname_at(ptr %1, i64 %31)
  %33 = getelementptr inbounds ptr, ptr %4, i64 %24
  store ptr %32, ptr %33, align 8
  %34 = add nuw nsw i64 %24, 1
  %35 = load i32, ptr %17, align 4
  %36 = zext i32 %35 to i64
  %37 = icmp ult i64 %34, %36
  br i1 %37, label %23, label %22

38:
  %39 = getelementptr inbounds i8, ptr %16, i64 24
  %40 = load i32, ptr %39, align 8
  %41 = icmp eq i32 %40, 0
  br i1 %41, label %46, label %42

42:
  %43 = load ptr, ptr %16, align 8
  %44 = getelementptr inbounds i8, ptr %16, i64 8
  %45 = load i64, ptr %44, align 8
  tail call void %2(ptr %3, ptr %43, ptr %4, i64 %45)
  br label %50

46:
  %47 = load ptr, ptr %16, align 8
  %48 = getelementptr inbounds i8, ptr %16, i64 8
  %49 = load i64, ptr %48, align 8
  tail call void %47(ptr %4, i64 0, i64 %49)
  br label %50

50:
  %51 = add nuw i64 %14, 1
  %52 = load i64, ptr %6, align 8
  %53 = icmp ult i64 %51, %52
  br i1 %53, label %13, label %12
}

define internal fastcc void @pkgname_give_outputs(ptr %0, ptr %1) {
  %3 = load i32, ptr @pkgname_count_inputs, align 4
  %4 = load i32, ptr @pkgname_count_tensors, align 4
  %5 = icmp slt i32 %3, %4
  br i1 %5, label %6, label %11

6:
  %7 = load i32, ptr @pkgname_count_arenas, align 4
  %8 = sext i32 %3 to i64
  %9 = sext i32 %7 to i64
  %10 = getelementptr ptr, ptr %0, i64 %9
  br label %12

11:
  ret void

12:
  %13 = phi i64 [ %8, %6 ], [ %24, %23 ]
  %14 = getelementptr ptr, ptr %10, i64 %13
  %15 = load ptr, ptr %14, align 8
  %16 = getelementptr inbounds ptr, ptr %1, i64 %13
  %17 = load ptr, ptr %16, align 8
  %18 = icmp eq ptr %15, %17
  br i1 %18, label %23, label %19

19:
  %20 = getelementptr inbounds [0 x i64], ptr @pkgname_tensor_bytes, i64 0, i64 %13
  %21 = load i64, ptr %20, align 8
  %22 = tail call ptr @memcpy(ptr %17, ptr %15, i64 %21)
  br label %23

23:
  %24 = add nsw i64 %13, 1
  %25 = trunc i64 %24 to i32
  %26 = icmp eq i32 %4, %25
  br i1 %26, label %11, label %12
}

define internal void @pkgname_enter_map(ptr %0, ptr %1, ptr %2, i32 %3, i32 %4) {
  %6 = load i32, ptr @pkgname_count_arenas, align 4
  %7 = zext i32 %6 to i64
  %8 = alloca ptr, i64 %7, align 16
  %9 = icmp eq i32 %3, %4
  br i1 %9, label %10, label %11

10:
  store ptr null, ptr %2, align 8
  br label %29

11:
  call fastcc void @pkgname_find_arenas.specialized.1(ptr %1, ptr %8)
  %12 = icmp slt i32 %3, %4
  br i1 %12, label %13, label %29

13:
  %14 = tail call fastcc ptr @pkgname_code_of(ptr %0)
  %15 = getelementptr inbounds i8, ptr %14, i64 24
  %16 = sext i32 %3 to i64
  %17 = sext i32 %3 to i64
  %18 = sext i32 %4 to i64
  br label %19

19:
  %20 = phi i64 [ %16, %13 ], [ %27, %19 ]
  %21 = load ptr, ptr %15, align 8
  %22 = getelementptr inbounds %struct.pkgname_place, ptr %21, i64 %20
  %23 = load i64, ptr %22, align 4
  %24 = call fastcc ptr @pkgname_at(ptr %8, i64 %23)
  %25 = sub nsw i64 %20, %17
  %26 = getelementptr inbounds ptr, ptr %2, i64 %25
  store ptr %24, ptr %26, align 8
  %27 = add nsw i64 %20, 1
  %28 = icmp eq i64 %27, %18
  br i1 %28, label %29, label %19

29:
  ret void
}

define internal fastcc ptr @pkgname_at(ptr %0, i64 %1) {
  %3 = trunc i64 %1 to i32
  %4 = and i32 %3, 65535
  %5 = load i32, ptr @pkgname_count_bases, align 4
  %6 = icmp eq i32 %4, %5
  br i1 %6, label %14, label %7

7:
  %8 = and i64 %1, 65535
  %9 = getelementptr inbounds ptr, ptr %0, i64 %8
  %10 = load ptr, ptr %9, align 8
  %11 = lshr i64 %1, 26
  %12 = and i64 %11, 274877906880
  %13 = getelementptr inbounds i8, ptr %10, i64 %12
  br label %14

14:
  %15 = phi ptr [ %13, %7 ], [ null, %2 ]
  ret ptr %15
}

define internal fastcc i32 @pkgname_is_multiple(ptr %0, i64 %1) {
  %3 = ptrtoint ptr %0 to i64
  %4 = urem i64 %3, %1
  %5 = icmp eq i64 %4, 0
  %6 = zext i1 %5 to i32
  ret i32 %6
}

define internal fastcc i32 @pkgname_is_ours(ptr %0, i32 %1) {
  %3 = sext i32 %1 to i64
  br label %5

4:
  ret i32 %13

5:
  %6 = phi i64 [ 0, %2 ], [ %14, %5 ]
  %7 = phi i32 [ 1, %2 ], [ %13, %5 ]
  %8 = getelementptr inbounds i8, ptr %0, i64 %6
  %9 = load i8, ptr %8, align 1
  %10 = getelementptr inbounds [0 x [64 x i8]], ptr @pkgname_headers, i64 0, i64 %3, i64 %6
  %11 = load i8, ptr %10, align 1
  %12 = icmp eq i8 %9, %11
  %13 = select i1 %12, i32 %7, i32 0
  %14 = add nuw nsw i64 %6, 1
  %15 = icmp eq i64 %14, 64
  br i1 %15, label %4, label %5
}

define internal fastcc i32 @pkgname_cpu_has(ptr %0, i64 %1, i32 %2) {
  %4 = alloca [4 x i32], align 16
  call void @llvm.lifetime.start.p0(i64 16, ptr %4)
  %5 = icmp eq i64 %1, 0
  br i1 %5, label %28, label %9

6:
  %7 = add nuw i64 %10, 1
  %8 = icmp eq i64 %7, %1
  br i1 %8, label %28, label %9

9:
  %10 = phi i64 [ %7, %6 ], [ 0, %3 ]
  %11 = getelementptr inbounds %struct.pkgname_need, ptr %0, i64 %10
  %12 = load i32, ptr %11, align 4
  %13 = and i32 %12, -2147483648
  call fastcc void @pkgname_cpuid(i32 %13, i32 0, ptr %4)
  %14 = load i32, ptr %4, align 16
  %15 = icmp ult i32 %14, %12
  br i1 %15, label %30, label %16

16:
  %17 = getelementptr inbounds i8, ptr %11, i64 4
  %18 = load i32, ptr %17, align 4
  call fastcc void @pkgname_cpuid(i32 %12, i32 %18, ptr %4)
  %19 = getelementptr inbounds i8, ptr %11, i64 8
  %20 = load i32, ptr %19, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [4 x i32], ptr %4, i64 0, i64 %21
  %23 = load i32, ptr %22, align 4
  %24 = getelementptr inbounds i8, ptr %11, i64 12
  %25 = load i32, ptr %24, align 4
  %26 = and i32 %25, %23
  %27 = icmp eq i32 %26, %25
  br i1 %27, label %6, label %30

28:
  %29 = tail call fastcc i32 @pkgname_system_keeps(i32 %2)
  br label %30

30:
  %31 = phi i32 [ %29, %28 ], [ 0, %16 ], [ 0, %9 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr %4)
  ret i32 %31
}

define internal fastcc void @pkgname_cpuid(i32 %0, i32 %1, ptr %2) {
  %4 = getelementptr inbounds i8, ptr %2, i64 4
  %5 = getelementptr inbounds i8, ptr %2, i64 8
  %6 = getelementptr inbounds i8, ptr %2, i64 12
  %7 = tail call { i32, i32, i32, i32 } asm "  xchgq  %rbx,${1:q}\0A  cpuid\0A  xchgq  %rbx,${1:q}", "={ax},=r,={cx},={dx},0,2,~{dirflag},~{fpsr},~{flags}"(i32 %0, i32 %1)
  %8 = extractvalue { i32, i32, i32, i32 } %7, 0
  %9 = extractvalue { i32, i32, i32, i32 } %7, 1
  %10 = extractvalue { i32, i32, i32, i32 } %7, 2
  %11 = extractvalue { i32, i32, i32, i32 } %7, 3
  store i32 %8, ptr %2, align 4
  store i32 %9, ptr %4, align 4
  store i32 %10, ptr %5, align 4
  store i32 %11, ptr %6, align 4
  ret void
}

define internal fastcc i32 @pkgname_system_keeps(i32 %0) {
  %2 = alloca [4 x i32], align 16
  call void @llvm.lifetime.start.p0(i64 16, ptr %2)
  %3 = icmp eq i32 %0, 0
  br i1 %3, label %15, label %4

4:
  call fastcc void @pkgname_cpuid(i32 1, i32 0, ptr %2)
  %5 = getelementptr inbounds i8, ptr %2, i64 8
  %6 = load i32, ptr %5, align 8
  %7 = and i32 %6, 134217728
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %15, label %9

9:
  %10 = tail call fastcc i64 @pkgname_xgetbv()
  %11 = zext i32 %0 to i64
  %12 = and i64 %10, %11
  %13 = icmp eq i64 %12, %11
  %14 = zext i1 %13 to i32
  br label %15

15:
  %16 = phi i32 [ %14, %9 ], [ 1, %1 ], [ 0, %4 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr %2)
  ret i32 %16
}

define internal fastcc i64 @pkgname_xgetbv() {
  %1 = tail call { i32, i32 } asm sideeffect "xgetbv", "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}"(i32 0)
  %2 = extractvalue { i32, i32 } %1, 0
  %3 = extractvalue { i32, i32 } %1, 1
  %4 = zext i32 %3 to i64
  %5 = shl nuw i64 %4, 32
  %6 = zext i32 %2 to i64
  %7 = or disjoint i64 %5, %6
  ret i64 %7
}

define internal fastcc i64 @pkgname_hash(ptr %0, i64 %1) {
  %3 = getelementptr inbounds i8, ptr %0, i64 %1
  %4 = icmp ugt i64 %1, 31
  br i1 %4, label %5, label %46

5:
  %6 = ptrtoint ptr %3 to i64
  %7 = icmp sgt i64 %1, 31
  br i1 %7, label %8, label %29

8:
  %9 = phi ptr [ %25, %8 ], [ %0, %5 ]
  %10 = phi i64 [ %24, %8 ], [ 7046029288634856825, %5 ]
  %11 = phi i64 [ %21, %8 ], [ 0, %5 ]
  %12 = phi i64 [ %18, %8 ], [ -4417276706812531889, %5 ]
  %13 = phi i64 [ %15, %8 ], [ 6983438078262162902, %5 ]
  %14 = tail call fastcc i64 @pkgname_word(ptr %9)
  %15 = tail call fastcc i64 @pkgname_round(i64 %13, i64 %14)
  %16 = getelementptr inbounds i8, ptr %9, i64 8
  %17 = tail call fastcc i64 @pkgname_word(ptr %16)
  %18 = tail call fastcc i64 @pkgname_round(i64 %12, i64 %17)
  %19 = getelementptr inbounds i8, ptr %9, i64 16
  %20 = tail call fastcc i64 @pkgname_word(ptr %19)
  %21 = tail call fastcc i64 @pkgname_round(i64 %11, i64 %20)
  %22 = getelementptr inbounds i8, ptr %9, i64 24
  %23 = tail call fastcc i64 @pkgname_word(ptr %22)
  %24 = tail call fastcc i64 @pkgname_round(i64 %10, i64 %23)
  %25 = getelementptr inbounds i8, ptr %9, i64 32
  %26 = ptrtoint ptr %25 to i64
  %27 = sub i64 %6, %26
  %28 = icmp sgt i64 %27, 31
  br i1 %28, label %8, label %29

29:
  %30 = phi i64 [ 6983438078262162902, %5 ], [ %15, %8 ]
  %31 = phi i64 [ -4417276706812531889, %5 ], [ %18, %8 ]
  %32 = phi i64 [ 0, %5 ], [ %21, %8 ]
  %33 = phi i64 [ 7046029288634856825, %5 ], [ %24, %8 ]
  %34 = phi ptr [ %0, %5 ], [ %25, %8 ]
  %35 = tail call fastcc i64 @pkgname_rotated(i64 %30, i32 1)
  %36 = tail call fastcc i64 @pkgname_rotated(i64 %31, i32 7)
  %37 = tail call fastcc i64 @pkgname_rotated(i64 %32, i32 12)
  %38 = tail call fastcc i64 @pkgname_rotated(i64 %33, i32 18)
  %39 = add i64 %36, %35
  %40 = add i64 %39, %37
  %41 = add i64 %40, %38
  %42 = tail call fastcc i64 @pkgname_merge(i64 %41, i64 %30)
  %43 = tail call fastcc i64 @pkgname_merge(i64 %42, i64 %31)
  %44 = tail call fastcc i64 @pkgname_merge(i64 %43, i64 %32)
  %45 = tail call fastcc i64 @pkgname_merge(i64 %44, i64 %33)
  br label %46

46:
  %47 = phi i64 [ %45, %29 ], [ 2870177450012600261, %2 ]
  %48 = phi ptr [ %34, %29 ], [ %0, %2 ]
  %49 = add i64 %47, %1
  %50 = ptrtoint ptr %3 to i64
  %51 = ptrtoint ptr %48 to i64
  %52 = sub i64 %50, %51
  %53 = icmp sgt i64 %52, 7
  br i1 %53, label %54, label %67

54:
  %55 = phi ptr [ %63, %54 ], [ %48, %46 ]
  %56 = phi i64 [ %62, %54 ], [ %49, %46 ]
  %57 = tail call fastcc i64 @pkgname_word(ptr %55)
  %58 = tail call fastcc i64 @pkgname_round(i64 0, i64 %57)
  %59 = xor i64 %58, %56
  %60 = tail call fastcc i64 @pkgname_rotated(i64 %59, i32 27)
  %61 = mul i64 %60, -7046029288634856825
  %62 = add i64 %61, -8796714831421723037
  %63 = getelementptr inbounds i8, ptr %55, i64 8
  %64 = ptrtoint ptr %63 to i64
  %65 = sub i64 %50, %64
  %66 = icmp sgt i64 %65, 7
  br i1 %66, label %54, label %67

67:
  %68 = phi i64 [ %49, %46 ], [ %62, %54 ]
  %69 = phi ptr [ %48, %46 ], [ %63, %54 ]
  %70 = phi i64 [ %52, %46 ], [ %65, %54 ]
  %71 = icmp sgt i64 %70, 3
  br i1 %71, label %72, label %96

72:
  %73 = load i8, ptr %69, align 1
  %74 = zext i8 %73 to i64
  %75 = getelementptr inbounds i8, ptr %69, i64 1
  %76 = load i8, ptr %75, align 1
  %77 = zext i8 %76 to i64
  %78 = shl nuw nsw i64 %77, 8
  %79 = or disjoint i64 %78, %74
  %80 = getelementptr inbounds i8, ptr %69, i64 2
  %81 = load i8, ptr %80, align 1
  %82 = zext i8 %81 to i64
  %83 = shl nuw nsw i64 %82, 16
  %84 = or disjoint i64 %79, %83
  %85 = getelementptr inbounds i8, ptr %69, i64 3
  %86 = load i8, ptr %85, align 1
  %87 = zext i8 %86 to i64
  %88 = shl nuw nsw i64 %87, 24
  %89 = or disjoint i64 %84, %88
  %90 = mul i64 %89, -7046029288634856825
  %91 = xor i64 %90, %68
  %92 = tail call fastcc i64 @pkgname_rotated(i64 %91, i32 23)
  %93 = mul i64 %92, -4417276706812531889
  %94 = add i64 %93, 1609587929392839161
  %95 = getelementptr inbounds i8, ptr %69, i64 4
  br label %96

96:
  %97 = phi i64 [ %94, %72 ], [ %68, %67 ]
  %98 = phi ptr [ %95, %72 ], [ %69, %67 ]
  %99 = icmp ult ptr %98, %3
  br i1 %99, label %100, label %111

100:
  %101 = phi ptr [ %109, %100 ], [ %98, %96 ]
  %102 = phi i64 [ %108, %100 ], [ %97, %96 ]
  %103 = load i8, ptr %101, align 1
  %104 = zext i8 %103 to i64
  %105 = mul i64 %104, 2870177450012600261
  %106 = xor i64 %105, %102
  %107 = tail call fastcc i64 @pkgname_rotated(i64 %106, i32 11)
  %108 = mul i64 %107, -7046029288634856825
  %109 = getelementptr inbounds i8, ptr %101, i64 1
  %110 = icmp ult ptr %109, %3
  br i1 %110, label %100, label %111

111:
  %112 = phi i64 [ %97, %96 ], [ %108, %100 ]
  %113 = lshr i64 %112, 33
  %114 = xor i64 %113, %112
  %115 = mul i64 %114, -4417276706812531889
  %116 = lshr i64 %115, 29
  %117 = xor i64 %116, %115
  %118 = mul i64 %117, 1609587929392839161
  %119 = lshr i64 %118, 32
  %120 = xor i64 %119, %118
  ret i64 %120
}

define internal fastcc i64 @pkgname_word(ptr %0) {
  %2 = load i8, ptr %0, align 1
  %3 = zext i8 %2 to i64
  %4 = getelementptr inbounds i8, ptr %0, i64 1
  %5 = load i8, ptr %4, align 1
  %6 = zext i8 %5 to i64
  %7 = shl nuw nsw i64 %6, 8
  %8 = or disjoint i64 %7, %3
  %9 = getelementptr inbounds i8, ptr %0, i64 2
  %10 = load i8, ptr %9, align 1
  %11 = zext i8 %10 to i64
  %12 = shl nuw nsw i64 %11, 16
  %13 = or disjoint i64 %8, %12
  %14 = getelementptr inbounds i8, ptr %0, i64 3
  %15 = load i8, ptr %14, align 1
  %16 = zext i8 %15 to i64
  %17 = shl nuw nsw i64 %16, 24
  %18 = or disjoint i64 %13, %17
  %19 = getelementptr inbounds i8, ptr %0, i64 4
  %20 = load i8, ptr %19, align 1
  %21 = zext i8 %20 to i64
  %22 = shl nuw nsw i64 %21, 32
  %23 = or disjoint i64 %18, %22
  %24 = getelementptr inbounds i8, ptr %0, i64 5
  %25 = load i8, ptr %24, align 1
  %26 = zext i8 %25 to i64
  %27 = shl nuw nsw i64 %26, 40
  %28 = or i64 %23, %27
  %29 = getelementptr inbounds i8, ptr %0, i64 6
  %30 = load i8, ptr %29, align 1
  %31 = zext i8 %30 to i64
  %32 = shl nuw nsw i64 %31, 48
  %33 = or i64 %28, %32
  %34 = getelementptr inbounds i8, ptr %0, i64 7
  %35 = load i8, ptr %34, align 1
  %36 = zext i8 %35 to i64
  %37 = shl nuw i64 %36, 56
  %38 = or i64 %33, %37
  ret i64 %38
}

define internal fastcc i64 @pkgname_round(i64 %0, i64 %1) {
  %3 = mul i64 %1, -4417276706812531889
  %4 = add i64 %3, %0
  %5 = tail call fastcc i64 @pkgname_rotated(i64 %4, i32 31)
  %6 = mul i64 %5, -7046029288634856825
  ret i64 %6
}

define internal fastcc i64 @pkgname_rotated(i64 %0, i32 %1) {
  %3 = zext nneg i32 %1 to i64
  %4 = shl i64 %0, %3
  %5 = sub nuw nsw i32 64, %1
  %6 = zext nneg i32 %5 to i64
  %7 = lshr i64 %0, %6
  %8 = or i64 %7, %4
  ret i64 %8
}

define internal fastcc i64 @pkgname_merge(i64 %0, i64 %1) {
  %3 = tail call fastcc i64 @pkgname_round(i64 0, i64 %1)
  %4 = xor i64 %3, %0
  %5 = mul i64 %4, -7046029288634856825
  %6 = add i64 %5, -8796714831421723037
  ret i64 %6
}

define internal fastcc i32 @pkgname_check_arenas(ptr %0) {
  %2 = load i32, ptr @pkgname_count_arenas, align 4
  %3 = icmp sgt i32 %2, 0
  br i1 %3, label %4, label %25

4:
  %5 = zext nneg i32 %2 to i64
  %6 = zext nneg i32 %2 to i64
  %7 = load ptr, ptr %0, align 8
  %8 = icmp eq ptr %7, null
  br i1 %8, label %25, label %17

9:
  %10 = add nuw nsw i64 %20, 1
  %11 = icmp ult i64 %10, %5
  %12 = icmp eq i64 %10, %6
  br i1 %12, label %25, label %13

13:
  %14 = getelementptr inbounds ptr, ptr %0, i64 %10
  %15 = load ptr, ptr %14, align 8
  %16 = icmp eq ptr %15, null
  br i1 %16, label %25, label %17

17:
  %18 = phi ptr [ %15, %13 ], [ %7, %4 ]
  %19 = phi i1 [ %11, %13 ], [ %3, %4 ]
  %20 = phi i64 [ %10, %13 ], [ 0, %4 ]
  %21 = getelementptr inbounds [0 x %struct.pkgname_arena], ptr @pkgname_arenas, i64 0, i64 %20, i32 1
  %22 = load i64, ptr %21, align 8
  %23 = tail call fastcc i32 @pkgname_is_multiple(ptr %18, i64 %22)
  %24 = icmp eq i32 %23, 0
  br i1 %24, label %25, label %9

25:
  %26 = phi i1 [ %3, %1 ], [ %3, %4 ], [ %11, %9 ], [ %11, %13 ], [ %19, %17 ]
  %27 = phi i32 [ undef, %1 ], [ -1, %4 ], [ undef, %9 ], [ -1, %13 ], [ -2, %17 ]
  br i1 %26, label %72, label %28

28:
  %29 = load i32, ptr @pkgname_count_workspaces, align 4
  %30 = tail call i32 @llvm.smax.i32(i32 %29, i32 0)
  %31 = zext nneg i32 %30 to i64
  br label %32

32:
  %33 = phi i64 [ 0, %28 ], [ %38, %68 ]
  %34 = phi i64 [ 1, %28 ], [ %71, %68 ]
  %35 = phi i32 [ %27, %28 ], [ %70, %68 ]
  %36 = icmp eq i64 %33, %31
  br i1 %36, label %72, label %37

37:
  %38 = add nuw nsw i64 %33, 1
  %39 = trunc nuw i64 %38 to i32
  %40 = icmp sgt i32 %2, %39
  br i1 %40, label %41, label %68

41:
  %42 = getelementptr inbounds ptr, ptr %0, i64 %33
  %43 = load ptr, ptr %42, align 8
  %44 = getelementptr inbounds [0 x %struct.pkgname_arena], ptr @pkgname_arenas, i64 0, i64 %33
  %45 = load i64, ptr %44, align 8
  %46 = getelementptr inbounds ptr, ptr %0, i64 %34
  %47 = load ptr, ptr %46, align 8
  %48 = getelementptr inbounds [0 x %struct.pkgname_arena], ptr @pkgname_arenas, i64 0, i64 %34
  %49 = load i64, ptr %48, align 8
  %50 = tail call fastcc i32 @pkgname_overlap(ptr %43, i64 %45, ptr %47, i64 %49)
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %52, label %68

52:
  %53 = phi i64 [ %54, %57 ], [ %34, %41 ]
  %54 = add nuw nsw i64 %53, 1
  %55 = trunc i64 %54 to i32
  %56 = icmp eq i32 %2, %55
  br i1 %56, label %64, label %57

57:
  %58 = getelementptr inbounds ptr, ptr %0, i64 %54
  %59 = load ptr, ptr %58, align 8
  %60 = getelementptr inbounds [0 x %struct.pkgname_arena], ptr @pkgname_arenas, i64 0, i64 %54
  %61 = load i64, ptr %60, align 8
  %62 = tail call fastcc i32 @pkgname_overlap(ptr %43, i64 %45, ptr %59, i64 %61)
  %63 = icmp eq i32 %62, 0
  br i1 %63, label %52, label %64

64:
  %65 = phi i32 [ %35, %52 ], [ -6, %57 ]
  %66 = trunc nuw i64 %54 to i32
  %67 = icmp sgt i32 %2, %66
  br label %68

68:
  %69 = phi i1 [ %40, %37 ], [ %40, %41 ], [ %67, %64 ]
  %70 = phi i32 [ %35, %37 ], [ -6, %41 ], [ %65, %64 ]
  %71 = add nuw nsw i64 %34, 1
  br i1 %69, label %72, label %32

72:
  %73 = phi i32 [ %27, %25 ], [ %70, %68 ], [ 0, %32 ]
  ret i32 %73
}

define internal fastcc i32 @pkgname_check_tensor(ptr %0, ptr %1, ptr %2, i32 %3) {
  %5 = sext i32 %3 to i64
  %6 = getelementptr inbounds [0 x i64], ptr @pkgname_tensor_bytes, i64 0, i64 %5
  %7 = load i64, ptr %6, align 8
  %8 = load i32, ptr @pkgname_count_inputs, align 4
  %9 = icmp sgt i32 %8, %3
  %10 = load i32, ptr @pkgname_count_workspaces, align 4
  %11 = load i32, ptr @pkgname_count_arenas, align 4
  %12 = select i1 %9, i32 %10, i32 %11
  %13 = tail call fastcc i32 @pkgname_is_home(ptr %0, ptr %1, ptr %2, i32 %3)
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %15, label %54

15:
  %16 = icmp sgt i32 %12, 0
  br i1 %16, label %17, label %32

17:
  %18 = getelementptr inbounds ptr, ptr %2, i64 %5
  %19 = load ptr, ptr %18, align 8
  %20 = zext nneg i32 %12 to i64
  br label %24

21:
  %22 = add nuw nsw i64 %25, 1
  %23 = icmp eq i64 %22, %20
  br i1 %23, label %32, label %24

24:
  %25 = phi i64 [ 0, %17 ], [ %22, %21 ]
  %26 = getelementptr inbounds ptr, ptr %1, i64 %25
  %27 = load ptr, ptr %26, align 8
  %28 = getelementptr inbounds [0 x %struct.pkgname_arena], ptr @pkgname_arenas, i64 0, i64 %25
  %29 = load i64, ptr %28, align 8
  %30 = tail call fastcc i32 @pkgname_overlap(ptr %19, i64 %7, ptr %27, i64 %29)
  %31 = icmp eq i32 %30, 0
  br i1 %31, label %21, label %54

32:
  br i1 %9, label %54, label %33

33:
  %34 = getelementptr inbounds ptr, ptr %2, i64 %5
  %35 = icmp sgt i32 %3, 0
  br i1 %35, label %36, label %54

36:
  %37 = zext nneg i32 %3 to i64
  br label %38

38:
  %39 = phi i64 [ 0, %36 ], [ %52, %51 ]
  %40 = trunc nuw nsw i64 %39 to i32
  %41 = tail call fastcc i32 @pkgname_is_home(ptr %0, ptr %1, ptr %2, i32 %40)
  %42 = icmp eq i32 %41, 0
  br i1 %42, label %43, label %51

43:
  %44 = load ptr, ptr %34, align 8
  %45 = getelementptr inbounds ptr, ptr %2, i64 %39
  %46 = load ptr, ptr %45, align 8
  %47 = getelementptr inbounds [0 x i64], ptr @pkgname_tensor_bytes, i64 0, i64 %39
  %48 = load i64, ptr %47, align 8
  %49 = tail call fastcc i32 @pkgname_overlap(ptr %44, i64 %7, ptr %46, i64 %48)
  %50 = icmp eq i32 %49, 0
  br i1 %50, label %51, label %54

51:
  %52 = add nuw nsw i64 %39, 1
  %53 = icmp eq i64 %52, %37
  br i1 %53, label %54, label %38

54:
  %55 = phi i32 [ 0, %4 ], [ 0, %32 ], [ 0, %33 ], [ 0, %51 ], [ -6, %43 ], [ -6, %24 ]
  ret i32 %55
}

define internal fastcc i32 @pkgname_overlap(ptr %0, i64 %1, ptr %2, i64 %3) {
  %5 = icmp eq i64 %1, 0
  %6 = icmp eq i64 %3, 0
  %7 = or i1 %5, %6
  br i1 %7, label %17, label %8

8:
  %9 = ptrtoint ptr %2 to i64
  %10 = ptrtoint ptr %0 to i64
  %11 = sub i64 %10, %9
  %12 = icmp ult i64 %11, %3
  %13 = sub i64 %9, %10
  %14 = icmp ult i64 %13, %1
  %15 = or i1 %12, %14
  %16 = zext i1 %15 to i32
  br label %17

17:
  %18 = phi i32 [ %16, %8 ], [ 0, %4 ]
  ret i32 %18
}

define internal fastcc i32 @pkgname_is_home(ptr %0, ptr %1, ptr %2, i32 %3) {
  %5 = sext i32 %3 to i64
  %6 = getelementptr inbounds ptr, ptr %2, i64 %5
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds i8, ptr %0, i64 24
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds %struct.pkgname_place, ptr %9, i64 %5
  %11 = load i64, ptr %10, align 4
  %12 = tail call fastcc ptr @pkgname_at(ptr %1, i64 %11)
  %13 = icmp eq ptr %7, %12
  %14 = zext i1 %13 to i32
  ret i32 %14
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr

define internal fastcc void @pkgname_find_arenas.specialized.1(ptr %0, ptr %1) {
  %3 = load i32, ptr @pkgname_count_workspaces, align 4
  %4 = icmp sgt i32 %3, 0
  br i1 %4, label %5, label %25

5:
  %6 = load i32, ptr @pkgname_is_internal, align 4
  %7 = icmp eq i32 %6, 0
  %8 = icmp eq i32 %3, 1
  %9 = zext nneg i32 %3 to i64
  br label %10

10:
  %11 = phi i64 [ 0, %5 ], [ %23, %20 ]
  br i1 %7, label %14, label %12

12:
  %13 = getelementptr inbounds [0 x ptr], ptr @pkgname_own, i64 0, i64 %11
  br label %17

14:
  br i1 %8, label %20, label %15

15:
  %16 = getelementptr inbounds ptr, ptr %0, i64 %11
  br label %17

17:
  %18 = phi ptr [ %16, %15 ], [ %13, %12 ]
  %19 = load ptr, ptr %18, align 8
  br label %20

20:
  %21 = phi ptr [ %0, %14 ], [ %19, %17 ]
  %22 = getelementptr inbounds ptr, ptr %1, i64 %11
  store ptr %21, ptr %22, align 8
  %23 = add nuw nsw i64 %11, 1
  %24 = icmp eq i64 %23, %9
  br i1 %24, label %25, label %10

25:
  ret void
}

declare i32 @llvm.smax.i32(i32, i32)
