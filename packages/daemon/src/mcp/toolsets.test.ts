import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TOOLS } from './tools.ts';
import { isChosen, isDefault, TOOLSETS, toolChoice, toolsetOf } from './toolsets.ts';

const namesOf = (query: string) => TOOLS.filter((tool) => isChosen(tool, toolChoice(query))).map(({ name }) => name);
const ALL = TOOLS.map(({ name }) => name);

describe('toolsets', () => {
  it('are named in snake case and together contain every tool', () => {
    for (const name of TOOLSETS) assert.match(name, /^[a-z]+(_[a-z]+)*$/);
    assert.deepEqual(namesOf(`tools=${TOOLSETS.filter((name) => name !== 'all').join(',')}`), ALL);
    for (const { operation } of TOOLS) assert.ok(TOOLSETS.includes(toolsetOf(operation)), operation.id);
    assert.equal(new Set(TOOLSETS).size, TOOLSETS.length, 'a group of the API has the name of a special toolset');
  });

  it('are the default set if the client chooses none', () => {
    const usual = TOOLS.filter(isDefault).map(({ name }) => name);
    for (const query of ['', 'tools=', 'tools=,', 'tools=default', 'other=1', 'tools=%20default%20'])
      assert.deepEqual(namesOf(query), usual, query);
    for (const name of ['list_apps', 'get_app', 'get_app_logs', 'get_deployment', 'get_instance', 'deploy_app'])
      assert.ok(usual.includes(name), name);
  });

  it('of the default set change nothing, except for releases and restarts of an app', () => {
    const changes = TOOLS.flatMap((tool) => (isDefault(tool) && tool.operation.effect !== 'read' ? [tool.name] : []));
    assert.deepEqual(changes.sort(), ['deploy_app', 'restart_app', 'rollback_app']);
  });

  it('can be combined', () => {
    assert.deepEqual(namesOf('tools=all'), ALL);
    assert.deepEqual(namesOf('tools=all,databases'), ALL);
    const both = namesOf('tools=default,databases');
    assert.deepEqual(namesOf('tools=databases&tools=default'), both);
    for (const name of ['create_database', 'deploy_app']) assert.ok(both.includes(name), name);
    const databases = TOOLS.filter(({ operation }) => operation.tag === 'Databases').map(({ name }) => name);
    assert.deepEqual(namesOf('tools=databases'), databases);
  });

  it('with an unknown name are refused', () => {
    const queries = ['tools=x', 'tools=All', 'tools=default,nope', 'tools=deploy_app', 'tools=__proto__', 'tools=%00'];
    for (const query of [...queries, 'output_schemas=1', 'output_schemas='])
      assert.throws(() => toolChoice(query), { code: 'invalid_input' });
  });
});
