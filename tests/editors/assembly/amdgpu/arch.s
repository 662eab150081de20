// RUN: not llvm-mc -arch=amdgcn -filetype=null %s
foo
