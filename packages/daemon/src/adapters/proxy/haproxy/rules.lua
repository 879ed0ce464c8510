-- What the proxy's own language cannot do with values that are known only while it runs.

local function decode(text)
  return (string.gsub(text, "%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end))
end

-- Lists are read once: their number is bounded by starting over, not by forgetting one by one.
local MOST_LISTS = 1000
local lists, count = {}, 0

local function networks(list)
  local found = lists[list]
  if found then return found end
  if count >= MOST_LISTS then lists, count = {}, 0 end
  found = {}
  for network in string.gmatch(list, "[^,]+") do found[#found + 1] = core.parse_addr(network) end
  lists[list], count = found, count + 1
  return found
end

local function isWithin(address, list)
  for _, network in ipairs(networks(list)) do
    if core.match_addr(address, network) then return true end
  end
  return false
end

-- `<address>|<network>,…`: "1" when the address is in one of the networks.
core.register_converters("within", function(input)
  local source, list = string.match(input, "^([^|]*)|(.*)$")
  if not source then return "0" end
  return isWithin(core.parse_addr(source), list) and "1" or "0"
end)

-- More proxies in a row are none.
local MOST_HOPS = 32

-- The address in an entry of X-Forwarded-For, which some proxies write with a port; nil if it is none.
local function addressIn(entry)
  local text = string.match(entry, "^%s*(.-)%s*$")
  text = string.match(text, "^%[([%x:.]+)%]:?%d*$") or string.match(text, "^(%d+%.%d+%.%d+%.%d+):%d+$") or text
  text = string.gsub(string.lower(text), "^::ffff:(%d+%.)", "%1")
  local isAddress = string.match(text, "^%d+%.%d+%.%d+%.%d+$") or string.match(text, "^[%x:.]*:[%x:.]*$")
  if isAddress and core.parse_addr(text) then return text end
end

-- Sets txn.address to the client's address: from right to left the first one in X-Forwarded-For that is in none of the
-- trusted networks, whose proxies have each written the address that they were connected to. What is no address ends it:
-- the proxy that sent it is the last one that is known. A container's address ends it too: it is no proxy of anybody's.
core.register_action("client", { "http-req" }, function(txn, list, containers)
  local headers = txn.http:req_get_headers()["x-forwarded-for"]
  local address
  local hops = 0
  for index = #headers, 0, -1 do
    local text = headers[index] or ""
    local entries = {}
    for entry in string.gmatch(string.sub(text, -4000), "[^,]+") do entries[#entries + 1] = entry end
    for n = #entries, 1, -1 do
      local found = addressIn(entries[n])
      hops = hops + 1
      if found then address = found end
      local at = found and core.parse_addr(found)
      if not at or hops >= MOST_HOPS or not isWithin(at, list) or isWithin(at, containers) then
        if address then txn:set_var("txn.address", address) end
        return
      end
    end
  end
  if address then txn:set_var("txn.address", address) end
end, 2)

-- `name=value&…` in txn.headers: sets each on the answer; one without a value is taken off.
core.register_action("headers", { "http-res" }, function(txn)
  for name, value in string.gmatch(txn:get_var("txn.headers") or "", "([^=&]+)=([^&]*)") do
    if value == "" then
      txn.http:res_del_header(decode(name))
    else
      txn.http:res_set_header(decode(name), decode(value))
    end
  end
end)

-- The session cookie of the dashboard, as in names.ts; over TLS `__Host-` is in front of it.
local SESSION = "davit_session"

-- The space that a reader of cookies may take off a name: that of C, and the one more that JavaScript's `trim` takes off.
local SPACE = "[%s\xa0]*"

local function isSpace(byte)
  return byte == 32 or byte == 160 or (byte ~= nil and byte >= 9 and byte <= 13)
end

-- The position of the separator before a cookie, 0 if it is the first one; nil if the name belongs to a longer one.
local function separatorBefore(text, name)
  local at = name - 1
  if string.sub(text, at - 6, at) == "__Host-" then at = at - 7 end
  while isSpace(string.byte(text, at)) do at = at - 1 end
  if at <= 0 then return 0 end
  return string.find(string.sub(text, at, at), "[;,]") and at or nil
end

-- The position behind a cookie's value. A comma ends the value only if a comma began the cookie: for most readers a comma
-- is part of a value. A quoted value may contain separators.
local function valueEnd(text, value, byComma)
  local _, quoted = string.find(text, '^' .. SPACE .. '"[^"]*"' .. SPACE, value)
  if quoted and (quoted == #text or string.find(text, "^[;,]", quoted + 1)) then return quoted + 1 end
  return string.find(text, byComma and "[;,]" or ";", value) or #text + 1
end

-- The value of a Cookie header without the session; the other cookies as they came, nil if there are none. Quotes do not
-- protect a cookie: an app could set cookies of its own around the session that begin and end a quoted value. Each byte is
-- read a bounded number of times, whatever the header contains.
local function withoutSession(text)
  local kept, from, at = {}, 1, 1
  local isFirstGone = false
  local first, last = string.find(text, SESSION, at, true)
  while first do
    at = last + 1
    local before = separatorBefore(text, first)
    local _, equals = string.find(text, "^" .. SPACE .. "=", last + 1)
    if before and equals then
      if before == 0 then isFirstGone = true else kept[#kept + 1] = string.sub(text, from, before - 1) end
      from = valueEnd(text, equals + 1, string.sub(text, before, before) == ",")
      at = from
    end
    first, last = string.find(text, SESSION, at, true)
  end
  kept[#kept + 1] = string.sub(text, from)
  local rest = table.concat(kept)
  if isFirstGone then rest = string.gsub(rest, "^[;,]" .. SPACE, "") end
  if not string.find(rest, "^" .. SPACE .. "$") then return rest end
end

-- Removes the session from every Cookie header of the request. The headers are deleted first: if something fails, the app
-- gets no cookie rather than the session.
core.register_action("without_session", { "http-req" }, function(txn)
  local http = txn.http
  local cookies = http:req_get_headers()["cookie"]
  if not cookies then return end
  http:req_del_header("cookie")
  for index = 0, #cookies do
    local rest = cookies[index] and withoutSession(cookies[index])
    if rest then http:req_add_header("cookie", rest) end
  end
end)

-- Whether a Set-Cookie header sets the session for a browser. Browsers take space off the name. Some send `=name=value`,
-- which they store without a name, as `name=value`, and some begin another cookie at a comma.
local function setsSession(text)
  for name in string.gmatch("," .. text, ",[%s\xa0=;]*([%w_-]+)" .. SPACE .. "=") do
    if name == SESSION or name == "__Host-" .. SESSION then return true end
  end
  return false
end

-- Removes each Set-Cookie header that sets the session; the others stay as they came, in their order.
core.register_action("no_session", { "http-res" }, function(txn)
  local http = txn.http
  local cookies = http:res_get_headers()["set-cookie"]
  if not cookies then return end
  http:res_del_header("set-cookie")
  for index = 0, #cookies do
    if cookies[index] and not setsSession(cookies[index]) then http:res_add_header("set-cookie", cookies[index]) end
  end
end)
