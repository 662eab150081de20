---@brief
---
--- https://github.com/wavelens/wavelens
---
--- Language server for LLVM IR, Machine IR, SPIR-V assembly and AMDGPU assembly.
---
--- Neovim has no file types for MIR, SPIR-V and AMDGPU assembly:
---
--- ```lua
--- vim.filetype.add({ extension = { mir = 'mir', spvasm = 'spirv' } })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'wavelens', 'lsp' },
  filetypes = { 'llvm', 'mir', 'spirv', 'spvasm', 'amdgpu' },
  root_markers = { 'wavelens.toml', '.git' },
}
