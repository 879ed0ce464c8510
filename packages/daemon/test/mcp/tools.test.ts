/** Names, arguments and descriptions of tools. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { allOperations } from '@davit/api';
import { NO_TOOL } from '@davit/api/no-tools.ts';
import { bootDaemon } from '@davit/testkit';
import { listed } from '../../src/mcp/schemas.ts';
import { snakeCase, TOOLS, toolOf } from '../../src/mcp/tools.ts';
import { connect, ERAS } from '../support/agent.ts';
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
      await using client = await connect(daemon, daemon.key, era);
      const { tools } = await client.listTools();
      assert.equal(tools.length, TOOLS.length);
      for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
        for (const schema of [inputSchema, outputSchema ?? {}] as Record<string, unknown>[]) {
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
      // The user name of a new database login is not the name of a user of Davit.
      if (tool.name !== 'create_database') assert.doesNotMatch(names, /username/, tool.name);
    }
  });
});
