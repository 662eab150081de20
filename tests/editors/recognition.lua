-- Opens each file of WAVELENS_ASSEMBLY in Neovim and prints its file type.
for _, file in ipairs(vim.fn.glob(os.getenv('WAVELENS_ASSEMBLY') .. '/**/*.s', false, true)) do
  vim.cmd('silent edit ' .. vim.fn.fnameescape(file))
  io.write(('%s %s\n'):format(file, vim.bo.filetype == 'amdgpu' and 'amdgpu' or 'other'))
end
vim.cmd('qa!')
