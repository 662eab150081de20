  global_load_dwordx4 v[0:3], v[4:5], off
