/** Handling of invalid and contradictory messages. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { app, bootDaemon, user } from '@davit/testkit';
import { callTool, ERAS, type Message, message, messageIn, post, said } from '../support/agent.ts';

const daemon = await bootDaemon();
after(() => daemon[Symbol.asyncDispose]());
const { reference } = await app(daemon);
const list = message('tools/call', { name: 'list_apps', arguments: {} });

describe('the check of MCP headers against the body', () => {
  const call = (name: string, extra: object = {}): Message => message('tools/call', { name, arguments: {}, ...extra });
  const unnamed = message('tools/list');
  const meta = 'io.modelcontextprotocol/protocolVersion';
  const MISMATCHES: [
    what: string,
    body: Message,
    headers: Record<string, string | undefined>,
    code: number,
    status: number,
  ][] = [
    ['another method in the header', unnamed, { 'mcp-method': 'tools/call' }, -32_020, 400],
    ['a missing method header', unnamed, { 'mcp-method': undefined }, -32_020, 400],
    ['an empty method header', unnamed, { 'mcp-method': '' }, -32_020, 400],
    ['a method header in upper case', unnamed, { 'mcp-method': 'TOOLS/LIST' }, -32_020, 400],
    ['another tool in the header', call('list_apps'), { 'mcp-name': 'delete_app' }, -32_020, 400],
    ['a missing name header for a tool', call('list_apps'), { 'mcp-name': undefined }, -32_020, 400],
    ['an empty name header for a tool', call('list_apps'), { 'mcp-name': '' }, -32_020, 400],
    ['a tool name in upper case', call('list_apps'), { 'mcp-name': 'LIST_APPS' }, -32_020, 400],
    [
      'a destructive tool with the name of a harmless tool in the header',
      call('delete_app', { arguments: { app: reference, confirm: reference } }),
      { 'mcp-name': 'get_app' },
      -32_020,
      400,
    ],
    ['two tools in the header', call('list_apps'), { 'mcp-name': 'list_apps, delete_app' }, -32_020, 400],
    ['a name header with invalid encoding', call('list_apps'), { 'mcp-name': '=?base64?!!!?=' }, -32_020, 400],
    [
      'another resource in the header',
      message('resources/read', { uri: 'davit://openapi.json' }),
      { 'mcp-name': 'davit://apps/a/b/c' },
      -32_020,
      400,
    ],
    [
      'a missing name header for a resource',
      message('resources/read', { uri: 'davit://openapi.json' }),
      { 'mcp-name': undefined },
      -32_020,
      400,
    ],
    [
      'another prompt in the header',
      message('prompts/get', { name: 'diagnose_app' }),
      { 'mcp-name': 'deploy_and_verify' },
      -32_020,
      400,
    ],
    ['a missing version header', unnamed, { 'mcp-protocol-version': undefined }, -32_020, 400],
    ['another version in the header', unnamed, { 'mcp-protocol-version': '2025-11-25' }, -32_020, 400],
    ['an unknown version in the header', unnamed, { 'mcp-protocol-version': '2027-01-01' }, -32_020, 400],
    [
      'an unknown version in the header and the body',
      message('tools/list', { _meta: { [meta]: '2099-01-01' } }),
      { 'mcp-protocol-version': '2099-01-01' },
      -32_022,
      400,
    ],
    ['a version that is only in the header', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, -32_602, 400],
    [
      'an initialize request in the stateless revision',
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} },
      { 'mcp-method': 'initialize' },
      -32_020,
      400,
    ],
  ];
  it('is tested with 20 mismatches', () => assert.equal(MISMATCHES.length, 20));
  for (const [what, body, headers, code, status] of MISMATCHES) {
    it(`refuses ${what} with error code ${code}`, async () => {
      const answer = await post(daemon, body, headers);
      assert.equal(answer.status, status, answer.text);
      assert.equal(JSON.parse(answer.text).error.code, code, answer.text);
    });
  }
  it('keeps the app after all refused requests', async () => {
    assert.equal((await daemon.call('GET', `/api/apps/${reference}`)).status, 200);
  });
});

describe('invalid MCP messages', () => {
  const TEXTS: [text: string, status: number, code: number][] = [
    ['', 400, -32_700],
    ['no json', 400, -32_700],
    ['null', 400, -32_700],
    ['3', 400, -32_700],
    ['"text"', 400, -32_700],
    ['[]', 400, -32_600],
    [JSON.stringify([list]), 400, -32_600],
    [JSON.stringify([list, list]), 400, -32_600],
    ['{}', 400, -32_600],
    ['{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 400, -32_600],
    ['{"jsonrpc":"2.0"}', 400, -32_600],
    ['{"jsonrpc":"2.0","id":1}', 400, -32_600],
    ['{"jsonrpc":"2.0","id":1,"method":3}', 400, -32_600],
    ['{"jsonrpc":"2.0","id":{},"method":"tools/list"}', 400, -32_600],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}', 400, -32_700],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":3}', 400, -32_602],
    [`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'['.repeat(50)}${']'.repeat(50)}}`, 400, -32_700],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{"x":1}}}', 400, -32_700],
  ];
  for (const [text, status, code] of TEXTS) {
    it(`${text.slice(0, 70) || 'nothing'} is refused with error code ${code}`, async () => {
      const answer = await post(daemon, text);
      assert.equal(answer.status, status, answer.text);
      assert.equal(JSON.parse(answer.text).error.code, code, answer.text);
    });
  }

  it('never cause an internal error when parameters are missing or invalid', async () => {
    for (const era of ERAS) {
      for (const params of [
        undefined,
        null,
        {},
        { name: 3 },
        { name: 'list_apps', arguments: 3 },
        { name: 'list_apps', arguments: [] },
        { name: '' },
        { cursor: {} },
        { uri: null },
        { uri: 'x'.repeat(9_999) },
        { name: '__proto__' },
      ]) {
        for (const method of [
          'tools/call',
          'tools/list',
          'resources/read',
          'resources/list',
          'prompts/get',
          'ping',
          'nope',
          '__proto__',
          '',
        ]) {
          const modern = message(method, (params ?? {}) as Record<string, unknown>);
          const body = era === '2026-07-28' ? modern : { jsonrpc: '2.0', id: 1, method, params };
          const headers =
            era === '2026-07-28' ? {} : { 'mcp-protocol-version': era, 'mcp-method': undefined, 'mcp-name': undefined };
          const { status, text } = await post(daemon, body, headers);
          assert.ok(status < 500, `${method} ${JSON.stringify(params)}: ${status} ${text}`);
          assert.doesNotMatch(text, /-32603|Internal/, `${method} ${JSON.stringify(params)}`);
        }
      }
    }
  });

  it('with an unknown method return 404, and with an unknown tool a specific error code', async () => {
    for (const method of ['nope', 'subscriptions/listen', 'initialize', 'logging/setLevel', 'completion/complete']) {
      const answer = await post(daemon, message(method));
      assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [404, -32_601], method);
    }
    const unknown = await post(daemon, message('tools/call', { name: 'drop_database', arguments: {} }));
    assert.equal(JSON.parse(unknown.text).error.code, -32_602);
  });

  it('are refused for excessive size, wrong content type or wrong HTTP method', async () => {
    const large = message('tools/call', { name: 'list_apps', arguments: { label: 'x'.repeat(1024 * 1024) } });
    assert.equal((await post(daemon, large)).status, 413);
    assert.equal((await post(daemon, list, { 'content-type': 'text/plain' })).status, 415);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await daemon.call(method, '/mcp');
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST']);
    }
  });

  it('do not affect later valid calls', async () => {
    assert.match(said(await callTool(daemon, 'list_apps', {}, user(daemon, 'viewer').key)), new RegExp(reference));
  });
});

describe('malformed parameters', () => {
  const CLIENT = { name: 'test', version: '1' };
  const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };
  /** Parameters that no method accepts. */
  const OF_ANY_METHOD = [3, 'text', true, [], null, { _meta: 3 }, { _meta: [] }, { _meta: { progressToken: {} } }];
  const OF_LISTS = [{ cursor: 3 }, { cursor: null }, { cursor: {} }];
  const OF_METHODS: Record<string, unknown[]> = {
    initialize: [
      undefined,
      {},
      { ...INITIALIZE, protocolVersion: 3 },
      { ...INITIALIZE, capabilities: undefined },
      { ...INITIALIZE, capabilities: { roots: 3 } },
      { ...INITIALIZE, clientInfo: 'test' },
      { ...INITIALIZE, clientInfo: { name: 'test' } },
    ],
    ping: [],
    'tools/list': [...OF_LISTS, { cursor: 'nope' }],
    'tools/call': [
      undefined,
      {},
      { name: 3 },
      { name: 'nope' },
      { name: 'list_apps', arguments: 3 },
      { name: 'list_apps', arguments: [] },
      { name: 'list_apps', task: 3 },
    ],
    'resources/list': [...OF_LISTS, { cursor: '!' }],
    'resources/templates/list': OF_LISTS,
    'resources/read': [undefined, {}, { uri: 3 }, { uri: null }],
    'prompts/list': OF_LISTS,
    'prompts/get': [
      undefined,
      {},
      { name: 3 },
      { name: 'nope' },
      { name: 'diagnose_app' },
      { name: 'diagnose_app', arguments: { app: 3 } },
    ],
  };

  async function demandRefused(what: string, body: Message, headers: Record<string, string | undefined>) {
    const answer = await post(daemon, body, headers);
    assert.ok(answer.status < 500, `${what}: ${answer.status} ${answer.text}`);
    const { error } = messageIn(answer);
    assert.equal(error?.code, -32_602, `${what}: ${answer.text}`);
    // One or two sentences, and not the JSON of a validator.
    assert.match(error?.message ?? '', /^[^\n{}[\]]+\.$/, what);
  }

  for (const [method, own] of Object.entries(OF_METHODS)) {
    it(`of ${method} are refused with a sentence and error code -32602`, async () => {
      for (const params of [...OF_ANY_METHOD, ...own]) {
        const body = { jsonrpc: '2.0', id: 1, method, params } as Message;
        const what = `${method} ${JSON.stringify(params)}`;
        const headers = { 'mcp-protocol-version': undefined, 'mcp-method': undefined, 'mcp-name': undefined };
        await demandRefused(what, body, headers);
        // The newest revision has no method “initialize”, and its parameters always include `_meta`.
        if (method === 'initialize') continue;
        const isCommon = OF_ANY_METHOD.includes(params as never);
        await demandRefused(what, isCommon ? body : message(method, params as Record<string, unknown> | undefined), {});
      }
    });
  }

  it('of initialize do not affect a valid request', async () => {
    const body: Message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE };
    const answer = await post(daemon, body, { 'mcp-protocol-version': undefined, 'mcp-method': undefined });
    assert.equal(messageIn(answer).error, undefined, answer.text);
  });
});
