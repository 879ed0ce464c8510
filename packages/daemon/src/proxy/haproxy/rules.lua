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

-- `<address>|<network>,…`: "1" when the address is in one of the networks.
core.register_converters("within", function(input)
  local source, list = string.match(input, "^([^|]*)|(.*)$")
  if not source then return "0" end
  local address = core.parse_addr(source)
  for _, network in ipairs(networks(list)) do
    if core.match_addr(address, network) then return "1" end
  end
  return "0"
end)

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
