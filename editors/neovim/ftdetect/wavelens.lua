-- Older versions recognise `.ll` as lex; a `.s` file is ours only if its text is for AMD GPUs.
local group = vim.api.nvim_create_augroup('wavelens_filetypes', { clear = true })

local function set(pattern, filetype)
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
    group = group,
    pattern = pattern,
    callback = function() vim.bo.filetype = filetype end,
  })
end

set({ '*.ll', '*.llir' }, 'llvm')
set({ '*.amdgcn', '*.rocmasm' }, 'amdgpu')
set('*.mir', 'mir')
set({ '*.spvasm', '*.spv.txt' }, 'spirv')

vim.api.nvim_create_autocmd({ 'BufRead', 'BufWritePost' }, {
  group = group,
  pattern = { '*.s', '*.S', '*.asm', '*.isa' },
  callback = function(event)
    if vim.bo[event.buf].filetype ~= 'amdgpu' and require('wavelens.recognize').is_amdgpu(event.buf) then
      vim.bo[event.buf].filetype = 'amdgpu'
    end
  end,
})
