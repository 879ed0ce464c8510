/** Names, arguments and descriptions of tools. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { allOperations } from '@davit/api';
import { NO_TOOL } from '@davit/api/no-tools.ts';
import { bootDaemon, user } from '@davit/testkit';
import { MOST_BYTES } from '../../src/mcp/data.ts';
import { listed } from '../../src/mcp/schemas.ts';
import { snakeCase, TOOLS, toolOf } from '../../src/mcp/tools.ts';
import { callTool, connect, ERAS, message, post, said } from '../support/agent.ts';
import { ajv } from '../support/checked-tool.ts';

const daemon = await bootDaemon();
after(() => daemon[Symbol.asyncDispose]());

describe('API operations', () => {
  it('are a tool or have a documented reason for the exclusion', () => {
    for (const { id, tool } of allOperations) {
      const isReasoned = id in NO_TOOL;
      assert.notEqual(tool !== undefined, isReasoned, `${id}: mark it as a tool, or say why not in no-tools.ts`);
    }
  });

  it('get tool names in snake case, and conflicting argument names are refused', () => {
    assert.equal(snakeCase('listTcpPorts'), 'list_tcp_ports');
    assert.deepEqual(
      TOOLS.map(({ name }) => name),
      allOperations.filter(({ tool }) => tool).map(({ id }) => snakeCase(id)),
    );
    const createApp = allOperations.find(({ id }) => id === 'createApp') ?? assert.fail();
    const clashing = { ...createApp, path: '/apps/{project}' };
    assert.throws(
      () => toolOf(clashing, {}),
      /two fields of the tool create_app would become the same argument, project: rename one of them/,
    );
    assert.ok(toolOf(clashing, { without: ['project'] }));
  });
});

describe('the list of tools', () => {
  for (const era of ERAS) {
    it(`has valid schemas for strict clients with protocol version ${era}`, async () => {
      await using client = await connect(daemon, daemon.key, era, { query: '?tools=all&output_schemas=true' });
      const { tools } = await client.listTools();
      assert.equal(tools.length, TOOLS.length);
      for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
        for (const schema of [inputSchema, outputSchema ?? assert.fail(name)] as Record<string, unknown>[]) {
          assert.ok(ajv.validateSchema(schema), `${name}: ${JSON.stringify(ajv.errors)}`);
          assert.equal(schema.type, 'object', name);
          for (const word of ['anyOf', 'oneOf', 'allOf', '$ref', '$defs', 'not'])
            assert.ok(!(word in schema), `${name}: ${word}`);
          assert.doesNotMatch(JSON.stringify(schema), /"\$ref"/, name);
        }
        assert.ok((description ?? '').length > 10, name);
        assert.equal(typeof annotations?.readOnlyHint, 'boolean', name);
      }
    });
  }

  it('marks read-only and destructive tools according to their API operations', () => {
    for (const tool of TOOLS) {
      const { annotations, inputSchema } = listed(tool);
      assert.equal(annotations.readOnlyHint, tool.operation.effect === 'read', tool.name);
      assert.equal(annotations.destructiveHint, tool.operation.effect === 'destroy', tool.name);
      assert.equal(inputSchema.required.includes('confirm'), tool.operation.effect === 'destroy', tool.name);
    }
    assert.deepEqual(
      TOOLS.filter(({ operation }) => operation.effect === 'destroy').map(({ name }) => name),
      ['delete_environment', 'delete_project', 'delete_app', 'remove_domain', 'remove_schedule', 'uninstall_template'],
    );
  });

  it('contains deploy_app as not destructive, with the required arguments app and tag', () => {
    const deploy = listed(TOOLS.find(({ name }) => name === 'deploy_app') ?? assert.fail());
    assert.deepEqual(deploy.inputSchema.required, ['app', 'tag']);
    assert.deepEqual(Object.keys(deploy.inputSchema.properties), ['app', 'tag', 'wait']);
    assert.deepEqual([deploy.annotations.readOnlyHint, deploy.annotations.destructiveHint], [false, false]);
  });

  it('contains no tool with arguments for credentials', () => {
    for (const tool of TOOLS) {
      const names = JSON.stringify(Object.keys(listed(tool).inputSchema.properties));
      assert.doesNotMatch(names, /password|basic_auth|private|token|secret_key|credential/, tool.name);
      // This is the user name of a database login, not of a Davit user.
      if (tool.name !== 'create_database') assert.doesNotMatch(names, /username/, tool.name);
    }
  });
});

describe('the tools that a client lists', () => {
  for (const era of ERAS) {
    it(`fit into 64 KiB by default with protocol version ${era}`, async (t) => {
      let received = 0;
      const counting = async (url: string | URL, init?: RequestInit) => {
        const response = await fetch(url, init);
        if (String(init?.body).includes('tools/list')) received += (await response.clone().arrayBuffer()).byteLength;
        return response;
      };
      await using client = await connect(daemon, daemon.key, era, { fetch: counting });
      const { tools } = await client.listTools();
      t.diagnostic(`the client received ${tools.length} tools in ${received} bytes`);
      assert.ok(tools.some(({ name }) => name === 'deploy_app'));
      assert.ok(received > 0 && received <= MOST_BYTES, String(received));
    });

    it(`are received in pages with protocol version ${era}`, async () => {
      await using client = await connect(daemon, daemon.key, era, { query: '?tools=all' });
      const first = await client.listTools({ cursor: TOOLS[0]?.name ?? '' });
      const next = first.nextCursor ?? assert.fail('one page contains all tools');
      const second = await client.listTools({ cursor: next });
      assert.equal(second.tools[0]?.name, next);
      assert.equal((await client.listTools()).tools.length, TOOLS.length);
      await assert.rejects(client.listTools({ cursor: 'nope' }), { code: -32_602, message: /is not a cursor/ });
    });
  }

  it('are those of the toolsets in the address', async () => {
    await using client = await connect(daemon, daemon.key, '2026-07-28', { query: '?tools=databases,backups' });
    const { tools } = await client.listTools();
    const chosen = TOOLS.filter(({ operation }) => ['Databases', 'Backups'].includes(operation.tag));
    assert.deepEqual(tools.map(({ name }) => name).sort(), chosen.map(({ name }) => name).sort());
  });

  it('are not the only tools that it may call', async () => {
    const call = message('tools/call', { name: 'create_project', arguments: { slug: 'unlisted' } });
    const { status, text } = await post(daemon, call, {}, daemon.key, '?tools=databases');
    assert.equal(status, 200);
    assert.doesNotMatch(text, /"isError":true/);
    const refused = await callTool(daemon, 'create_project', { slug: 'other' }, user(daemon, 'viewer').key);
    assert.match(said(refused), /^403 forbidden: /);
  });

  it('cannot be of an unknown toolset', async () => {
    for (const query of ['?tools=nope', '?tools=default,DATABASES', '?output_schemas=yes']) {
      const { status, text } = await post(daemon, message('tools/list'), {}, daemon.key, query);
      assert.equal(status, 400, text);
      assert.match(text, /^(tools|output_schemas): .*\.\n$/);
    }
  });
});
