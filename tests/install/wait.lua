-- Waits for the first findings of the open file.
vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 50)
io.stdout:write(('findings: %d\n'):format(#vim.diagnostic.get(0)))
vim.cmd('qall!')
