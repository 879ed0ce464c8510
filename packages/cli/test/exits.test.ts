/** Tests exit codes and error messages, and that a refused command changes nothing. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { FieldProblem } from '@davit/api';
import { app, deployedApp, project, slug, user } from '@davit/testkit';
import { EXIT, type ExitName } from '../src/errors/exit.ts';
import { type RunOptions, withDavit } from './support/davit.ts';

describe('exit codes and output of commands', () => {
  const on = withDavit();

  /**
   * Runs a command with and without `--json`. Both runs must have the same exit code, print the error only on stderr,
   * and print nothing on stdout.
   * @returns stderr of the run without `--json`
   */
  async function ends(exit: ExitName, args: string[], says: RegExp, options: RunOptions = {}): Promise<string> {
    const plain = await on.davit.run(args, options);
    const json = await on.davit.run([...args, '--json'], options);
    assert.deepEqual([plain.code, json.code], [EXIT[exit].code, EXIT[exit].code], plain.stderr);
    assert.match(plain.stderr, says);
    assert.equal(plain.stdout + json.stdout, '');
    const { error } = JSON.parse(json.stderr);
    assert.match(error.message, says);
    assert.deepEqual(Object.keys(error), ['code', 'status', 'message', 'fields', 'retryable', 'request_id', 'help']);
    return plain.stderr;
  }

  test('a misspelled command, option or argument suggests the correct usage', async () => {
    const stderr = await ends('usage', ['app', 'dploy'], /Unknown command "dploy". Did you mean deploy\?/);
    assert.match(stderr, /\nUsage: davit app <command>/);
    await ends('usage', ['appp', 'list'], /Unknown command "appp". Did you mean app\?/);
    assert.match(
      await ends('usage', ['app', 'list', '--labl', 'x'], /Did you mean --label\?/),
      /Usage: davit app list/,
    );
    await ends('usage', ['app', 'scale', 'a/b/c'], /Missing required argument "replicas"/);
    await ends('usage', ['app', 'scale', 'a/b/c', 'many'], /"many" is not a valid number of replicas/);
    await ends('usage', ['project', 'get', 'a', 'b'], /Too many arguments/);
    await ends(
      'usage',
      ['domain', 'add', 'a/b/c', 'x.example', '--https', 'maybe'],
      /Allowed choices are auto, only, both/,
    );
  });

  test('help is shown for no command, a partial command and --help', async () => {
    const shown: [string[], RegExp][] = [
      [[], /^Usage: davit <command>\n[\s\S]*\n {2}deploy +Deploy a release/],
      [['--json'], /^Usage: davit <command>/],
      [['help'], /^Usage: davit <command>/],
      [['app'], /^Usage: davit app <command>\n[\s\S]*\n {2}rollback +Roll back/],
      [['--context', 'x', 'app'], /^Usage: davit app <command>/],
      [['app', '--help'], /^Usage: davit app <command>/],
      [
        ['help', 'app', 'deploy'],
        /^Usage: davit app deploy \[options\] \[app\]\n[\s\S]*\nExamples:\n {2}davit app deploy/,
      ],
      [['deploy', '-h'], /^Usage: davit deploy /],
    ];
    for (const [args, says] of shown) {
      const { code, stdout, stderr } = await on.davit.run(args);
      assert.deepEqual([code, stderr], [0, ''], args.join(' '));
      assert.match(stdout, says);
    }
    for (const args of [['--nonsense'], ['app', '--nonsense']]) assert.equal((await on.davit.run(args)).code, 2);
  });

  test('a change is recorded in the audit log as made by the CLI', async () => {
    const name = slug('audited');
    await on.davit.run(['project', 'create', name]);
    const { events } = await on.daemon.client.listAudit({ query: { target: name } });
    assert.deepEqual(
      events.map(({ operation, via }) => [operation, via]),
      [['createProject', 'cli']],
    );
  });

  test('an incomplete app reference suggests matching apps', async () => {
    await ends('usage', ['events', '--app', 'web'], /"web" is not the name of an app/);
    const made = await app(on.daemon);
    await ends(
      'usage',
      ['app', 'get', made.name],
      new RegExp(`write project/environment/app. Did you mean ${made.reference}\\?`),
    );
  });

  test('an unknown app suggests apps with a similar name', async () => {
    const made = await app(on.daemon);
    await ends('not_found', ['app', 'get', `${made.reference}x`], new RegExp(`Did you mean ${made.reference}\\?`));
    await ends('not_found', ['deployment', 'get', made.reference, '99999'], /^(?!.*Did you mean)/);
  });

  test('a list of an unknown resource is not found, and a list of an empty project is empty', async () => {
    const [empty, unknown] = [await project(on.daemon), slug('none')];
    const lists = [
      ['app', 'list', '-p', unknown],
      ['app', 'list', '-p', unknown, '-l', 'tier=web'],
      ['environment', 'list', unknown],
      ['events', '--app', `${unknown}/production/web`, '-n', '1'],
      ['backup', 'list', `${unknown}/production/db`],
      ['volume', 'list', `${unknown}/production/web`],
    ];
    for (const words of lists) await ends('not_found', words, /./);
    assert.equal((await on.davit.run(['app', 'list', '-p', empty])).code, EXIT.ok.code);
  });

  test('commands that need no daemon refuse a data directory without an instance', async () => {
    const { folder } = on.davit;
    await writeFile(join(folder, 'a-file'), '');
    await mkdir(join(folder, 'damaged'));
    await writeFile(join(folder, 'damaged', 'instance-id'), 'x/../y');
    const uninstall = ['instance', 'uninstall', '--dry-run', '--data-dir'];
    const recover = ['instance', 'recover-key', '--data-dir'];

    for (const words of [uninstall, recover]) await ends('usage', [...words, ''], /--data-dir is empty/);
    for (const name of ['absent', 'a-file', 'absent/'])
      await ends('not_found', [...uninstall, join(folder, name)], /contains no instance/);
    await ends('failed', [...uninstall, join(folder, 'damaged')], /instance-id contains no valid ID/);
    for (const name of ['absent', 'a-file'])
      await ends('unreachable', ['instance', 'verify'], /No instance uses the socket/, {
        env: { DAVIT_DATA_DIR: join(folder, name) },
      });
  });

  test('no command overwrites an existing file without --force', async () => {
    const name = await project(on.daemon);
    await writeFile(join(on.davit.folder, 'there'), 'own text');
    const writers = [
      ['init', '--app', `${name}/production/web`, '--port', '3000', '-f', 'there'],
      ['env', 'export', name, '-o', 'there'],
      ['backup', 'download', '1', 'there'],
      ['instance', 'export', 'there'],
    ];
    for (const words of writers) await ends('conflict', words, /there already exists\. .* --force/);
    assert.equal(await readFile(join(on.davit.folder, 'there'), 'utf8'), 'own text');
  });

  test('a missing tag or deployment is not found', async () => {
    const pushed = await app(on.daemon, { source: 'registry', image: undefined });
    await ends(
      'not_found',
      ['deploy', pushed.reference, '--tag', 'absent'],
      /has no image .+:absent\. Check the tag, or/,
    );
    const { app: live } = await deployedApp(on.daemon);
    await ends('not_found', ['rollback', live.reference, '--to', '99999'], /has no deployment 99999\./);
  });

  test('a missing project or environment is named with the command that creates it', async () => {
    const [there, missing] = [await project(on.daemon), slug('none')];
    const commands = (place: string) => [
      ['app', 'create', `${place}/web`],
      ['database', 'create', `${place}/main`, 'postgres'],
      ['object-store', 'create', place, slug('files')],
    ];
    const withProject = new RegExp(`davit project create ${missing}`);
    const withEnvironment = new RegExp(`davit environment create ${there}/staging`);

    for (const words of [...commands(`${missing}/production`), ['environment', 'create', `${missing}/staging`]])
      await ends('not_found', words, withProject);
    for (const words of commands(`${there}/staging`)) await ends('not_found', words, withEnvironment);
  });

  test('a new app names its next step: a push for an empty repository, or a deployment', async () => {
    const name = await project(on.daemon);

    const own = await on.davit.run(['app', 'create', `${name}/production/own`]);
    const other = await on.davit.run(['app', 'create', `${name}/production/other`, '--image', 'acme/web']);

    assert.match(own.stdout, new RegExp(`docker push [^ ]+/${name}/production/own:<tag>`));
    assert.doesNotMatch(own.stdout, /davit app deploy/);
    assert.match(other.stdout, new RegExp(`davit app deploy ${name}/production/other --tag <tag>`));
  });

  test('forbidden, conflicting and invalid requests have their own exit codes', async () => {
    const { key } = user(on.daemon, 'viewer');
    const made = await app(on.daemon);
    await ends('forbidden', ['app', 'delete', made.reference, '--yes'], /role/, { env: { DAVIT_API_KEY: key } });
    await ends('conflict', ['app', 'rollback', made.reference], /./);
    await ends('usage', ['project', 'create', 'Not A Name'], /must contain only lower-case/);
  });

  test('an error with --json contains code, fields, retryable and request ID', async () => {
    const { stderr } = await on.davit.run(['project', 'create', 'Not A Name', '--json']);
    const { error } = JSON.parse(stderr);
    assert.deepEqual([error.code, error.status, error.retryable], ['invalid_input', 400, false]);
    assert.deepEqual(
      error.fields.map(({ path, code }: FieldProblem) => [path, code]),
      [['slug', 'invalid_format']],
    );
    assert.match(error.request_id, /^[0-9a-f-]{36}$/);
    const own = JSON.parse((await on.davit.run(['events', '--app', 'web', '--json'])).stderr).error;
    assert.deepEqual(
      [own.code, own.status, own.fields, own.retryable, own.request_id, own.help],
      ['usage', null, [], false, null, null],
    );
  });

  test('an error about a field names what the user typed', async () => {
    const { app: made } = await deployedApp(on.daemon);
    const { reference } = made;
    await ends('usage', ['project', 'create', 'Shop_X'], /^(error: )?name: must /);
    await ends('usage', ['app', 'set', reference, '--memory', '4m'], /^(error: )?--memory: must be at least 6 MiB/);
    await ends('usage', ['env', 'set', reference, 'BAD NAME=1'], /^(error: )?BAD NAME: the name must contain/);
    await ends('usage', ['env', 'set', reference, '=x'], /^(error: )?"=x" has no name: write KEY=value\./);
    await ends('usage', ['settings', 'set', 'nonsense=1'], /^(error: )?nonsense: is not a setting\. List/);
    await ends('usage', ['app', 'set', reference, '--health-path', 'x'], /^(error: )?--health-path: must start/);
    await ends('usage', ['app', 'set', reference, '--label', '!=1'], /^(error: )?--label !: /);
    const [name = ''] = reference.split('/');
    await ends('usage', ['environment', 'create', `${name}/Not_A_Name`], /^(error: )?environment: must /);
    const domain = ['domain', 'add', reference, 'typed.example.com'];
    await ends('usage', [...domain, '--rate-limit', '0'], /^(error: )?--rate-limit: must be at least 1/);
    await ends('usage', [...domain, '--header', 'a b=1'], /^(error: )?--header a b: the name must/);
    await ends('usage', [...domain, '--redirect-to', ''], /^(error: )?--redirect-to: must have at least 1/);
  });

  test('an error with a help section prints the address of the help page', async () => {
    const taken = await project(on.daemon);
    const help = `${on.daemon.url}/help/solve-common-problems#name-or-host-taken`;
    const stderr = await ends('conflict', ['project', 'create', taken], /already exists/);
    assert.match(stderr, new RegExp(`\nHelp: ${RegExp.escape(help)}\n$`));
    const json = await on.davit.run(['project', 'create', taken, '--json']);
    assert.equal(JSON.parse(json.stderr).error.help, help);
    assert.doesNotMatch(await ends('usage', ['project', 'create', 'Not A Name'], /lower-case/), /^Help:/m);
  });

  test('an invalid or missing key suggests davit login', async () => {
    const env = { DAVIT_API_KEY: `davit_${'0'.repeat(64)}` };
    await ends('not_signed_in', ['app', 'list'], /Run `davit login`/, { env });
    await ends('not_signed_in', ['app', 'list'], /Run `davit login <url>`/, {
      env: { DAVIT_URL: '', DAVIT_API_KEY: '' },
    });
  });

  test('an unreachable address or a server without Davit exits as unreachable', async () => {
    const other = createServer((_, response) =>
      response.writeHead(302, { location: '/elsewhere', connection: 'close' }).end(),
    );
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as AddressInfo).port));
    });
    const at = (url: string) => ({ env: { DAVIT_URL: url } });
    await ends('unreachable', ['status'], /is not an instance of Davit \(HTTP 302\)/, at(`http://127.0.0.1:${port}`));
    await ends('unreachable', ['status'], /does not speak TLS/, at(`https://127.0.0.1:${port}`));
    await new Promise((resolve) => other.close(resolve));
    await ends('unreachable', ['status'], /Nothing answers at http:\/\/127/, at(`http://127.0.0.1:${port}`));
    for (const words of [['logs', '-f', 'a/b/c'], ['events']]) {
      await ends('unreachable', words, /Nothing answers at/, at(`http://127.0.0.1:${port}`));
    }
    // The global `fetch` of Node refuses port 9 and gives no error code.
    await ends('unreachable', ['login', 'http://127.0.0.1:9'], /Nothing answers at http:\/\/127\.0\.0\.1:9\./);
    await ends('unreachable', ['status'], /listens on port 9\./, at('http://127.0.0.1:9'));
    await ends('unreachable', ['status'], /Cannot resolve the host name nobody.invalid/, at('http://nobody.invalid'));
    await ends('unreachable', ['status', '--local'], /No instance uses the socket/, {
      env: { DAVIT_DATA_DIR: on.davit.folder },
    });
  });

  test('the page of another server is never printed', async () => {
    let status = 200;
    let more: Record<string, string> = {};
    const other = createServer((_, response) =>
      response
        .writeHead(status, { 'content-type': 'text/html', connection: 'close', ...more })
        .end('<!doctype html><title>Sign in to the network</title>'),
    );
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as AddressInfo).port));
    });
    const url = `http://127.0.0.1:${port}`;
    const commands = [['project', 'list'], ['env', 'get', 'a/b/c'], ['logs', 'a/b/c'], ['events'], ['key', 'list']];
    for (status of [200, 502]) {
      const said = {
        '': new RegExp(`^(error: )?${url} is not an instance of Davit \\(HTTP ${status}\\)\\. Check the address and`),
        // An HTTP proxy may replace the response body with its own page and keep the headers of the instance.
        '1.0.0': new RegExp(`^(error: )?The response from ${url} \\(HTTP ${status}\\) does not come from a Davit`),
      };
      for (const [version, says] of Object.entries(said)) {
        more = version === '' ? {} : { 'davit-version': version };
        for (const words of commands) {
          assert.doesNotMatch(await ends('unreachable', words, says, { env: { DAVIT_URL: url } }), /html|Sign in/);
        }
      }
    }
    await new Promise((resolve) => other.close(resolve));
  });

  test('a failed deployment has its own exit code and shows reason and log lines', async () => {
    const { app: made } = await deployedApp(on.daemon);
    const failed = await on.davit.run(['deploy', made.reference, '--tag', 'crash']);
    assert.equal(failed.code, EXIT.deploy_failed.code);
    assert.match(failed.stderr, /this example crashes[\s\S]*error: Deployment \d+ of .* failed: Replica 1 exited/);
    assert.equal(failed.stdout, '');
  });

  test('Ctrl-C while following keeps the deployment running and shows the follow command', async () => {
    const { app: made } = await deployedApp(on.daemon);
    const leaving = new AbortController();
    const gate = on.daemon.engine.controls.pause('createGroup');
    const running = on.davit.run(['deploy', made.reference, '--tag', 'v2'], {
      signal: leaving.signal,
      onOutput: (text) => {
        if (text.includes('Deployment')) leaving.abort();
      },
    });
    const { code, stderr } = await running;
    gate.open();
    assert.equal(code, EXIT.interrupted.code);
    assert.match(stderr, /continues in the background.*davit deployment follow/);
    await on.daemon.settled();
    const [newest] = await on.daemon.client.listDeployments({
      params: { project: made.project, environment: made.environment, app: made.name },
    });
    assert.equal(newest?.status, 'succeeded');
  });

  test('Ctrl-C ends davit events without an error message', async () => {
    const leaving = new AbortController();
    const onOutput = () => leaving.abort();
    const { code, stdout, stderr } = await on.davit.run(['events', '--after', '0'], {
      signal: leaving.signal,
      onOutput,
    });
    assert.deepEqual([code, stderr], [EXIT.interrupted.code, '']);
    assert.match(stdout, /^\d{4}-\d\d-\d\d \d\d:\d\d UTC {2}/);
  });

  test('davit run exits with the exit code of the remote command', async () => {
    const { app: made } = await deployedApp(on.daemon);
    assert.equal((await on.davit.run(['run', made.reference, '--', 'exit', '7'])).code, 7);
  });

  test('a destructive command without a terminal requires --yes', async () => {
    const name = await project(on.daemon);
    await ends('usage', ['project', 'delete', name], /no terminal for a confirmation: to continue, add --yes/);
    assert.equal((await on.daemon.client.getProject({ params: { project: name } })).slug, name);
    assert.equal((await on.davit.run(['project', 'delete', name, '--yes'])).code, 0);
  });

  test('output of davit env get contains no control characters from the instance', async () => {
    const made = await app(on.daemon, { labels: { note: 'plain' } });
    const params = { project: made.project, environment: made.environment, app: made.name };
    await on.daemon.client.setAppEnv({
      params,
      body: { set: { EVIL: '\u001b]0;owned\u0007\u001b[2J\u202e' } },
    });
    for (const more of [[], ['--own'], ['--json']]) {
      const { stdout } = await on.davit.run(['env', 'get', made.reference, ...more], { isTTY: true });
      // The only allowed escape sequences are the colors that the command line itself prints.
      assert.doesNotMatch(stdout.replaceAll(OWN_COLOURS, ''), TERMINAL_ACTS_ON, more.join(' '));
    }
  });

  test('colors depend on the terminal, NO_COLOR, FORCE_COLOR and --no-color', async () => {
    const coloured = async (options: RunOptions, more: string[] = []) =>
      (await on.davit.run(['project', 'list', ...more], options)).stdout.includes('\u001b');
    await project(on.daemon, slug('colour'));
    assert.equal(await coloured({ isTTY: true }), true);
    assert.equal(await coloured({}), false);
    assert.equal(await coloured({ isTTY: true }, ['--no-color']), false);
    assert.equal(await coloured({ isTTY: true, env: { NO_COLOR: '1' } }), false);
    assert.equal(await coloured({ isTTY: true, env: { TERM: 'dumb' } }), false);
    assert.equal(await coloured({ env: { FORCE_COLOR: '1' } }), true);
    assert.equal(await coloured({ env: { FORCE_COLOR: '1', NO_COLOR: '1' } }), false);
  });

  test('a name that is empty or only dots is refused', async () => {
    for (const name of ['.', '..', ''])
      await ends('usage', ['project', 'get', name], /A name in the command is empty or contains only dots/);
    await ends('usage', ['key', 'rotate', '..'], /A name in the command is empty or contains only dots/);
  });

  test('a dot refers to the app of davit.yaml in env commands', async () => {
    const made = await app(on.daemon);
    await on.davit.write('davit.yaml', `app: ${made.reference}\n`);
    const { stdout } = await on.davit.run(['env', 'set', '.', 'A=b']);
    await on.davit.remove('davit.yaml');
    assert.equal(stdout, `A of ${made.reference} is set. The change takes effect with the next deployment.\n`);
    await ends('usage', ['env', 'get', '.'], /No davit\.yaml found/);
  });

  test('output is not cut on a terminal without a known width', async () => {
    const made = await app(on.daemon);
    const { stdout } = await on.davit.run(['app', 'list', '-p', made.project], { isTTY: true, columns: 0 });
    assert.ok(stdout.includes(made.reference), stdout);
    assert.ok((await on.davit.run(['--help'], { isTTY: true, columns: 0 })).stdout.includes('  login  '));
  });

  test('-q prints only the IDs of a list', async () => {
    const made = await app(on.daemon);
    const { stdout } = await on.davit.run(['app', 'list', '-q', '-p', made.project]);
    assert.equal(stdout, `${made.reference}\n`);
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match escape sequences
const OWN_COLOURS = /\u001b\[(1|2|22|31|32|33|36|39)m/g;
const TERMINAL_ACTS_ON = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;
