-- `.ll` is taken for lex by older versions; `.s` only when the text says AMDGPU.
local function set(pattern, filetype)
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
    pattern = pattern,
    callback = function() vim.bo.filetype = filetype end,
  })
end

set('*.ll', 'llvm')
set('*.mir', 'mir')
set({ '*.spvasm', '*.spv.txt' }, 'spirv')

vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  pattern = { '*.s', '*.S', '*.asm' },
  callback = function()
    local head = table.concat(vim.api.nvim_buf_get_lines(0, 0, 100, false), '\n')
    if head:find('amdgcn') or head:find('%.amdhsa_') or head:find('s_endpgm') or head:find('%-mcpu=gfx') then
      vim.bo.filetype = 'amdgpu'
    end
  end,
})
