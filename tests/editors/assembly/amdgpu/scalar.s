loop: s_nop 0
  s_cbranch_scc1 loop
  s_endpgm
