-- Drives a real Neovim: WAVELENS names the server. Prints what a user would see; leaves with an error if a step fails.
local server = os.getenv('WAVELENS')
local function say(...) io.write(string.format(...) .. '\n') end
local function wait(what, condition)
  assert(vim.wait(30000, condition, 20), 'timed out: ' .. what)
end
-- A row of features.json that works.
local function works(feature) say('FEATURE %s', feature) end

-- What the server answers at a text, through Neovim's client; a failure where it answers nothing.
local function asked(feature, method, text, more)
  local row = vim.fn.search('\\V' .. text, 'w')
  assert(row > 0, 'no ' .. text)
  local params = vim.tbl_extend('force', {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = row - 1, character = vim.fn.getline(row):find(text, 1, true) + 1 },
    range = { start = { line = 0, character = 0 }, ['end'] = { line = vim.fn.line('$'), character = 0 } },
  }, more or {})
  local result
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 10000) or {}) do result = answer.result end
  assert(result ~= nil and result ~= vim.NIL and next(result) ~= nil, feature .. ': no answer to ' .. method)
  works(feature)
  return result
end

-- Everything that a client asks for.
local function ask_everything()
  asked('signature', 'textDocument/signatureHelp', '(float %a, float')
  asked('references', 'textDocument/references', '%base', { context = { includeDeclaration = true } })
  asked('declaration', 'textDocument/declaration', '%base')
  asked('occurrences', 'textDocument/documentHighlight', '%base')
  asked('rename', 'textDocument/rename', '%base', { newName = 'start' })
  asked('outline', 'textDocument/documentSymbol', '@saxpy')
  asked('symbols', 'workspace/symbol', '@saxpy', { query = 'saxpy' })
  local item = asked('calls', 'textDocument/prepareCallHierarchy', '@saxpy(')[1]
  asked('calls', 'callHierarchy/outgoingCalls', '@saxpy(', { item = item })
  asked('folding', 'textDocument/foldingRange', '@saxpy')
  asked('colours', 'textDocument/semanticTokens/full', '@saxpy')
  local row = vim.fn.search('%base = shl')
  vim.api.nvim_buf_set_text(0, row - 1, 2, row - 1, 2, { '      ' })
  asked('format', 'textDocument/formatting', '@saxpy', { options = { tabSize = 2, insertSpaces = true } })
  asked('range', 'textDocument/rangeFormatting', '@saxpy', { options = { tabSize = 2, insertSpaces = true } })
  vim.api.nvim_buf_set_text(0, row - 1, 2, row - 1, 8, { '' })
end

-- The buffer of a view whose name ends so.
local function shown(ending)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local buffer = vim.api.nvim_win_get_buf(window)
    if vim.api.nvim_buf_get_name(buffer):find(ending) then return buffer end
  end
end

-- The action at a finding makes the file smaller.
local function reduce()
  vim.cmd('edit! ' .. os.getenv('WAVELENS_FILE'))
  wait('findings', function() return #vim.diagnostic.get(0) > 0 end)
  local source = vim.api.nvim_get_current_win()
  local found = vim.diagnostic.get(0)[1]
  local at = { line = found.lnum, character = found.col }
  local context = { diagnostics = { found.user_data.lsp.range and found.user_data.lsp or {
    range = { start = at, ['end'] = at }, severity = 1, code = found.code, source = 'wavelens', message = found.message,
  } } }
  local params = { textDocument = vim.lsp.util.make_text_document_params(), range = { start = at, ['end'] = at }, context = context }
  local command
  for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 10000) or {}) do
    for _, action in ipairs(answer.result or {}) do
      if action.title:find('^Reduce the file while') then command = action.command end
    end
  end
  vim.lsp.commands[command.command](command)
  wait('the reduced file', function() return shown('reduced%.ll$') ~= nil end)
  works('reduce')
  vim.api.nvim_set_current_win(source)
end

-- The lens over a RUN line shows what it writes.
local function test()
  local file = vim.fn.tempname() .. '.ll'
  vim.fn.writefile({ '; RUN: cat %s', 'define void @f() {', '  ret void', '}' }, file)
  vim.cmd('edit! ' .. file)
  wait('client', function() return next(vim.lsp.buf_get_clients(0)) ~= nil end)
  local params = { textDocument = vim.lsp.util.make_text_document_params() }
  local found
  wait('lenses', function()
    for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/codeLens', params, 10000) or {}) do
      for _, lens in ipairs(answer.result or {}) do
        if lens.command.command == 'wavelens.lit.output' then found = lens.command end
      end
    end
    return found ~= nil
  end)
  vim.lsp.commands[found.command](found)
  wait('output', function() return shown('output%.txt$') ~= nil end)
  works('lit')
end

-- CHECK lines fold, and open again; hints have presets.
local function folds_and_hints()
  local file = vim.fn.tempname() .. '.ll'
  vim.fn.writefile({
    '; RUN: llc < %s | FileCheck %s', 'define void @f() {', '; CHECK-LABEL: f:', '; CHECK: a', '; CHECK-NEXT: b', '  ret void', '}',
  }, file)
  vim.cmd('edit! ' .. file)
  wait('client', function() return next(vim.lsp.buf_get_clients(0)) ~= nil end)
  vim.cmd('WavelensFoldChecks')
  local closed = vim.fn.foldclosed(4) == 3 and vim.fn.foldclosedend(3) == 5
  vim.cmd('WavelensFoldChecks')
  say('FOLDS %s, then %s', closed and 'closed' or 'open', vim.fn.foldclosed(4) == -1 and 'open' or 'closed')
  local notify, said = vim.notify, nil
  vim.notify = function(message) said = message end
  vim.cmd('WavelensHints')
  say('HINTS %s', said)
  vim.cmd('WavelensHints calm')
  vim.notify = notify
end

local ok, problem = pcall(function()
  require('wavelens').setup({ cmd = { server, 'lsp' }, settings = { diagnosticsDebounceMs = 0, target = 'gfx1030' } })
  vim.cmd('edit ' .. os.getenv('WAVELENS_FILE'))
  say('FILETYPE %s', vim.bo.filetype)
  wait('first diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
  for _, d in ipairs(vim.diagnostic.get(0)) do
    say('DIAGNOSTIC %d:%d %s [%s]', d.lnum + 1, d.col + 1, d.message:gsub('\n.*', ''), d.code or '')
  end
  works('diagnostics')
  local line = vim.fn.search('itme')
  local at = { line = line - 1, character = vim.fn.getline(line):find('itme') }
  asked('actions', 'textDocument/codeAction', 'itme', { range = { start = at, ['end'] = at }, context = { diagnostics = {} } })
  local params = vim.lsp.util.make_position_params(0, 'utf-16')
  params.position = { line = vim.fn.search('%group = call') - 1, character = 4 }
  local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 5000)
  for _, answer in pairs(hover) do
    say('HOVER %s', answer.result and 'yes' or 'none')
    if answer.result then works('hover') end
  end
  vim.api.nvim_win_set_cursor(0, { vim.fn.search('icmp slt'), 26 })
  local column = vim.fn.getline('.'):find('%%i,') or 1
  vim.api.nvim_win_set_cursor(0, { vim.fn.line('.'), column })
  vim.lsp.buf.definition()
  wait('definition', function() return vim.fn.getline('.'):find('%%i = add') ~= nil end)
  say('DEFINITION %s', vim.fn.getline('.'))
  works('definition')
  local broken = vim.api.nvim_buf_get_lines(0, line - 1, line, false)[1]
  local before = #vim.diagnostic.get(0)
  local from = broken:find('itme')
  vim.api.nvim_buf_set_text(0, line - 1, from - 1, line - 1, from + 3, { 'item' })
  wait('one diagnostic fewer', function() return #vim.diagnostic.get(0) < before end)
  say('FIXED one of %d', before)

  -- Completion after a sigil replaces the whole name: what Neovim's own function offers, and from which column.
  vim.api.nvim_buf_set_lines(0, line, line, false, { '  %unused = add i32 %ba' })
  vim.api.nvim_win_set_cursor(0, { line + 1, 23 })
  local offered
  local complete, mode, get_mode = vim.fn.complete, vim.fn.mode, vim.api.nvim_get_mode
  vim.fn.complete = function(column, items) offered = { column, items } end
  vim.fn.mode = function() return 'i' end
  vim.api.nvim_get_mode = function() return { mode = 'i', blocking = false } end
  vim.o.virtualedit = 'onemore'
  vim.api.nvim_win_set_cursor(0, { line + 1, #vim.fn.getline(line + 1) })
  vim.lsp.omnifunc(1, '')
  wait('completion', function() return offered ~= nil end)
  vim.fn.complete, vim.fn.mode, vim.api.nvim_get_mode = complete, mode, get_mode
  local words = {}
  for _, item in ipairs(offered[2]) do words[#words + 1] = item.word end
  local typed = vim.fn.getline(line + 1):sub(offered[1])
  if vim.tbl_contains(words, '%base') and vim.startswith('%base', typed) then works('completion') end
  say('COMPLETION %s', vim.tbl_contains(words, '%base') and vim.startswith('%base', typed) and 'yes' or ('column %d: %s'):format(offered[1], table.concat(words, ' ')))
  vim.api.nvim_buf_set_lines(0, line, line + 1, false, {})

  local function group_at(text)
    local row = vim.fn.search(text, 'w')
    return vim.fn.synIDattr(vim.fn.synIDtrans(vim.fn.synID(row, vim.fn.col('.'), 1)), 'name')
  end
  vim.cmd('syntax on')
  say('SYNTAX %s %s', group_at([[\<define\>]]), group_at('%base'))
  say('COMMENT %s', vim.bo.commentstring)
  local client = vim.lsp.get_client_by_id(next(hover))
  say('ROOT %s', vim.fn.fnamemodify(client.config.root_dir, ':t'))
  for _, other in ipairs({ 'saxpy.mir', 'saxpy.spvasm', 'saxpy.s' }) do
    vim.cmd('edit! ' .. vim.fn.fnamemodify(os.getenv('WAVELENS_FILE'), ':h:h') .. '/examples/' .. other)
    wait('client of ' .. other, function() return vim.lsp.buf_get_clients(0)[client.id] ~= nil end)
    say('LANGUAGE %s %s', other, vim.bo.filetype)
  end

  local spirv = os.getenv('WAVELENS_BINARY')
  vim.cmd('edit! ' .. spirv)
  assert(vim.fn.getline(1):find('SPIR%-V') or vim.fn.search('OpCapability', 'w') > 0, 'the binary is not shown as text')
  local function bytes() return vim.fn.getfsize(spirv) end
  local whole = bytes()
  vim.fn.append('$', 'OpBad')
  vim.cmd('silent! write')
  assert(vim.bo.modified and bytes() == whole, 'a text with errors was written')
  vim.cmd('silent undo')
  vim.fn.append(vim.fn.search('OpEntryPoint', 'w'), 'OpModuleProcessed "written back"')
  vim.cmd('silent! write')
  assert(not vim.bo.modified and bytes() > whole, 'the binary was not written: ' .. bytes() .. ' of ' .. whole)
  vim.cmd('edit!')
  assert(vim.fn.search('written back', 'w') > 0, 'the written binary is not read')
  works('binaries')
  wait('client of the binary', function() return next(vim.lsp.buf_get_clients(0)) ~= nil end)
  asked('binaries', 'textDocument/hover', 'OpCapability')

  vim.cmd('edit! ' .. vim.fn.fnamemodify(os.getenv('WAVELENS_FILE'), ':h:h') .. '/examples/saxpy.ll')
  wait('client', function() return #vim.lsp.buf_get_clients(0) > 0 end)
  ask_everything()
  reduce()
  test()
  folds_and_hints()
  if vim.fn.executable('llc-22') == 0 then return end
  vim.cmd('edit! ' .. vim.fn.fnamemodify(os.getenv('WAVELENS_FILE'), ':h:h') .. '/examples/saxpy.ll')
  wait('client', function() return #vim.lsp.buf_get_clients(0) > 0 end)
  local source = vim.api.nvim_get_current_buf()
  local clients = vim.tbl_count(vim.lsp.get_active_clients())
  vim.cmd('WavelensIsa')
  wait('ISA', function() return shown('ll%.s$') ~= nil end)
  local view = shown('ll%.s$')
  local function text() return table.concat(vim.api.nvim_buf_get_lines(view, 0, -1, false), '\n') end
  say('ISA %s %s', text():find('s_endpgm') and 'yes' or 'none', vim.bo[view].readonly and 'read-only' or 'writable')
  assert(vim.api.nvim_get_current_buf() == source, 'the view took the cursor')
  works('isa')
  -- The other side of the cursor's line is marked, and found.
  local mark = vim.api.nvim_create_namespace('wavelens_code')
  local function marked()
    local found = {}
    for _, place in ipairs(vim.api.nvim_buf_get_extmarks(view, mark, 0, -1, {})) do
      found[#found + 1] = vim.api.nvim_buf_get_lines(view, place[2], place[2] + 1, false)[1]
    end
    return table.concat(found, ' ')
  end
  vim.fn.search('%base = shl', 'w')
  wait('the instructions of a line', function()
    vim.cmd('doautocmd CursorMoved')
    return marked():find('v_lshl') ~= nil
  end)
  asked('sides', 'textDocument/implementation', '%base = shl')
  vim.api.nvim_win_call(vim.fn.bufwinid(view), function()
    vim.fn.search('s_endpgm', 'w')
    require('wavelens').follow()
    assert(next(vim.api.nvim_buf_get_extmarks(source, mark, 0, -1, {})), 'no line of the source is marked')
  end)
  -- The server that wrote the view answers in it, and no other one.
  assert(vim.lsp.buf_get_clients(view)[next(vim.lsp.buf_get_clients(source))], 'the view has no server')
  say('CLIENTS %d more, view %s', vim.tbl_count(vim.lsp.get_active_clients()) - clients, vim.bo[view].filetype)
  assert(text():find('gfx1030'), 'the target of the settings is not used')
  assert(vim.tbl_contains(vim.fn.getcompletion('WavelensTarget gfx13', 'cmdline'), 'gfx1310'), 'processors are not completed')
  vim.cmd('WavelensTarget gfx1100')
  wait('ISA for another target', function() return text():find('gfx1100') ~= nil end)
  vim.cmd('WavelensTarget gfx1030')
  wait('ISA for the first target', function() return text():find('gfx1030') ~= nil end)
  works('target')
  wait('lenses', function()
    local params = { textDocument = vim.lsp.util.make_text_document_params() }
    for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/codeLens', params, 5000) or {}) do
      for _, lens in ipairs(answer.result or {}) do
        if lens.command and lens.command.title:find('VGPR') then return true end
      end
    end
  end)
  works('lenses')
  asked('hints', 'textDocument/inlayHint', '@saxpy')
  for feature, head in pairs({ cfg = '^@saxpy: %d+ blocks', dominators = '^@saxpy: dominator tree' }) do
    vim.fn.search('%base = shl', 'w')
    vim.cmd(feature == 'cfg' and 'WavelensCfg' or 'WavelensCfg!')
    local shown = function()
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        local buffer = vim.api.nvim_win_get_buf(window)
        local name, first = vim.api.nvim_buf_get_name(buffer), vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1]
        if name:match('cfg%.txt$') and (first or ''):match(head) then return true end
      end
    end
    wait(feature, shown)
    if shown() then works(feature) end
  end
  -- Where no program shows pictures, a message names the file.
  local notify, drawn = vim.notify, nil
  vim.notify = function(message) drawn = message:match('the picture is in (.*%.svg)$') end
  vim.fn.search('%base = shl', 'w')
  vim.cmd('WavelensCfg svg')
  wait('a picture', function() return drawn ~= nil end)
  vim.notify = notify
  say('PICTURE %d', vim.fn.filereadable(drawn))
  vim.cmd('WavelensIsa')
  wait('ISA again', function() return shown('ll%.s$') == view end)
  local old = text()
  local row = vim.fn.search('shl i32 %group') - 1
  local column = vim.fn.getline(row + 1):find('8$')
  vim.api.nvim_buf_set_text(0, row, column - 1, row, column, { '4' })
  wait('fresh ISA', function() return text() ~= old end)
  say('FRESH yes')
  vim.cmd('WavelensCompare gfx1030 gfx1100')
  wait('targets', function() return shown('targets%.txt$') ~= nil end)
  say('TARGETS yes')
  works('compare')
  vim.cmd('WavelensPasses virtregrewriter')
  wait('passes', function() return shown('passes%.diff$') ~= nil end)
  say('PASSES yes')
  works('passes')
  vim.fn.search('%base = shl', 'w')
  for feature, command in pairs({ trace = 'WavelensTrace', remarks = 'WavelensRemarks', advise = 'WavelensAdvise' }) do
    local ending = ({ trace = 'history', remarks = 'remarks', advise = 'advice' })[feature]
    vim.cmd(command)
    wait(feature, function() return shown(ending .. '%.txt$') ~= nil end)
    works(feature)
  end
  vim.cmd('WavelensPasses virtregrewriter')
  wait('passes again', function() return shown('passes%.diff$') ~= nil end)
  local old = next(vim.lsp.buf_get_clients(0))
  vim.cmd('WavelensRestart')
  wait('a new server', function()
    local now = next(vim.lsp.buf_get_clients(0))
    return now and now ~= old
  end)
  say('RESTARTED yes')
  works('restart')
  -- Generated code of other machines is not AMDGPU assembly.
  local foreign = vim.fn.tempname() .. '.ll'
  vim.fn.writefile({ 'target triple = "x86_64-unknown-linux-gnu"', 'define i32 @f(i32 %x) {', '  ret i32 %x', '}' }, foreign)
  local here = vim.api.nvim_get_current_buf()
  vim.cmd('edit! ' .. foreign)
  wait('client', function() return next(vim.lsp.buf_get_clients(0)) ~= nil end)
  vim.cmd('WavelensIsa')
  wait('foreign ISA', function() return shown('ll%.s$') ~= nil end)
  local other = shown('ll%.s$')
  say('FOREIGN %s, %d findings', vim.bo[other].filetype, #vim.diagnostic.get(other))
  vim.cmd('buffer! ' .. here)
  vim.cmd('WavelensPasses virtregrewriter')
  wait('passes once more', function() return shown('passes%.diff$') ~= nil end)
  local window = vim.fn.bufwinid(shown('passes%.diff$'))
  say('VIEWS %d window, %s', #vim.api.nvim_list_wins() - 1, vim.wo[window].wrap and 'wrapped' or 'not wrapped')
end)
-- What the user reads about it.
if ok then
  ok, problem = pcall(function()
    vim.cmd('checkhealth wavelens')
    local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    say('HEALTH %s %s', report:find('wavelens %d') and 'version' or report, report:find('llc%s+LLVM') and 'tools' or 'no tools')
    vim.cmd('help :WavelensTarget')
    say('HELP %s', vim.fn.getline('.'):match('%S+'))
  end)
end
if not ok then say('FAILED %s', tostring(problem)) end
vim.cmd('qa!')
