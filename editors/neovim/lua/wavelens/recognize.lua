-- Assembly files belong to many assemblers: one for AMD GPUs is recognised by its content.
-- docs/editors.md lists the patterns; VS Code and Emacs have the same.

local M = {}

-- Bytes of a file that are looked at.
local HEAD = 64 * 1024

-- What no other assembler's files contain, as Vim's regular expressions.
local marks = {
  -- Directives of the target and of code objects.
  [[\.\%(amdgcn_target\|amdhsa_\|amd_kernel_code_t\|amd_amdgpu_\|amdgpu_\|hsa_code_object_\)]],
  -- Options in RUN lines and comments.
  [[\%(triple\|arch\|target\)[= ]amdg\%(cn\|pu\d\)]],
  [[mcpu[= ]gfx]],
  -- Instructions with a type, such as `v_add_f32`.
  [[\<[sv]_[a-z0-9_]\+_[bfiu]\%(16\|32\|64\)\>]],
  -- Scalar instructions without one, and memory instructions.
  [[\<s_\%(endpgm\|waitcnt\|barrier\|branch\|cbranch_\|load_\|buffer_\|setpc\|nop\)]],
  [[\<\%(global\|flat\|scratch\|buffer\|tbuffer\|ds\)_\%(load\|store\|atomic\|read\|write\)_]],
}
local mark = vim.regex([[\C\%(]] .. table.concat(marks, [[\|]]) .. [[\)]])

-- Whether a buffer with assembly is for AMD GPUs.
function M.is_amdgpu(buffer)
  local seen, first = 0, 0
  local count = vim.api.nvim_buf_line_count(buffer)
  while first < count and seen < HEAD do
    for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, first, first + 200, false)) do
      if mark:match_str(line) then return true end
      seen = seen + #line + 1
      if seen >= HEAD then return false end
    end
    first = first + 200
  end
  return false
end

return M
