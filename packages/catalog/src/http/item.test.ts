import assert from 'node:assert/strict';
import test from 'node:test';
import { makeConfig } from '../config/config.ts';
import { isVerified, titleOf, withoutListing } from './item.ts';

const configOf = (verifiedOwners: string) => makeConfig({ verifiedOwners }, { isRoot: false, xdgDataHome: '/x' });

test('titleOf derives the title from the repository name', () => {
  const titles = {
    'cubeship-umami-template': 'Umami',
    'cubeship-uptime-kuma-template': 'Uptime Kuma',
    'Cubeship-N8N-Template': 'N8N',
    plausible: 'Plausible',
    my_app: 'My App',
    'cubeship-template': 'Template',
    'cubeship-': 'Cubeship',
    '-template': '-template',
    'cubeship--template': 'cubeship--template',
    '---': '---',
    'a--b__c': 'A B C',
    'my.app': 'My.app',
    'davit-ghost': 'Davit Ghost',
    'template-template': 'Template',
    'élan-vital': 'Élan Vital',
    '𐐨𐐩-x': '𐐀𐐩 X',
    '1password': '1password',
  };
  for (const [name, title] of Object.entries(titles)) assert.equal(titleOf(name, null), title, name);
});

test('titleOf prefers the name in the manifest and keeps its spelling', () => {
  assert.equal(titleOf('cubeship-umami-template', 'umami Analytics'), 'umami Analytics');
  assert.equal(titleOf('cubeship-umami-template', ''), 'Umami');
});

test('withoutListing removes only the topics that list templates', () => {
  const topics = ['cubeship-template', 'davit-template', 'Davit-Template', 'mail'];
  assert.deepEqual(withoutListing(topics, configOf('')), ['Davit-Template', 'mail']);
});

test('isVerified compares owner names without case and refuses look-alike names', () => {
  const config = configOf('cubeshipd,lucas-K');
  const is = (owner: string) => isVerified({ owner, ownerId: null }, config);
  for (const owner of ['cubeshipd', 'CubeShipD', 'lucas-k', 'LUCAS-K']) assert.equal(is(owner), true, owner);
  const alike = [
    ...[
      'cubeshipd ',
      ' cubeshipd',
      'cubeshipd\0',
      'cubeshipd\u200b',
      '\u200dcubeshipd',
      'cubeshipd.',
      'cubeshipd-',
      '-cubeshipd',
    ],
    ...[
      'cube-shipd',
      'cubeship',
      'cubeshipdd',
      'cubeshlpd',
      'cubesh1pd',
      'cubeshipcl',
      'cubeshiqd',
      'cub3shipd',
      'cubeship_d',
    ],
    ...[
      'сubeshipd',
      'cubеshipd',
      'cubeѕhipd',
      'cubeshіpd',
      'cubeshiрd',
      'cubeshipԁ',
      'ϲubeshipd',
      'cubeshıpd',
      'cubeshİpd',
      'ｃubeshipd',
    ],
    ...[
      'ｃｕｂｅｓｈｉｐｄ',
      '𝖼ubeshipd',
      '𝒸𝓊𝒷𝑒𝓈𝒽𝒾𝓅𝒹',
      'ⓒubeshipd',
      'cubeſhipd',
      'cubéshipd',
      'cubes\u0301hipd',
      'cubeship\u00add',
      '\ufeffcubeshipd',
    ],
    ...[
      'cubeshipd/x',
      'cubeshipd%20',
      'cubeshipd,lucas-k',
      'lucas-\u212a',
      'lucas_k',
      'lucas-к',
      'lucas–k',
      'lucask',
      'lucas-kk',
    ],
    ...['', 'null', 'd', 'pihsebuc', 'CUBE SHIPD', 'cubeshipd\n', 'Cubeship D', 'cubeshipđ'],
  ];
  assert.ok(alike.length >= 50);
  for (const owner of alike) assert.equal(is(owner), false, JSON.stringify(owner));
});

test('isVerified compares owner IDs if both are known, and names otherwise', () => {
  const config = configOf('acme:42,globex');
  const is = (owner: string, ownerId: number | null) => isVerified({ owner, ownerId }, config);
  assert.equal(is('acme', 42), true);
  assert.equal(is('renamed', 42), true);
  assert.equal(is('acme', 43), false);
  assert.equal(is('acme', null), true);
  assert.equal(is('Globex', 7), true);
});
