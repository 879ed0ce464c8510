import assert from 'node:assert/strict';
import test from 'node:test';
import { legoFailure } from './reason.ts';

test('legoFailure returns the error line without the timestamp and program name', () => {
  const output = [
    '2026/11/21 20:00:00 [INFO] [*.a.example] acme: Obtaining bundled SAN certificate',
    '2026/11/21 20:00:02 Could not obtain certificates:',
    '\terror: one or more domains had a problem:',
    '[*.a.example] [*.a.example] acme: error presenting token: cloudflare: zone not found',
  ].join('\n');

  const { message, code } = legoFailure(output, []);

  assert.equal(message, '[*.a.example] [*.a.example] acme: error presenting token: cloudflare: zone not found');
  assert.equal(code, null);
});

test('legoFailure removes credentials from the error message', () => {
  const { message } = legoFailure('error: token s3cr3t-token of s3cr3t was refused', ['s3cr3t', 's3cr3t-token']);

  assert.equal(message, 'error: token … of … was refused');
});

test('legoFailure removes encoded spellings of credentials from the error message', () => {
  const key = '{\n  "id": "a/b+c d"\n}';
  const said = [
    'GET https://api.example/?key=a%2Fb%2Bc+d&again=a%2Fb%2Bc%20d',
    `Authorization: Basic ${Buffer.from('a/b+c d').toString('base64')}`,
    `body ${JSON.stringify(key)}`,
    'line   "id": "a/b+c d" of it',
  ];

  const { message } = legoFailure(`error: ${said.join('; ')}`, ['a/b+c d', key, '\ud800']);

  assert.equal(
    message,
    'error: GET https://api.example/?key=…&again=…; Authorization: Basic …; body "…"; line … of it',
  );
});

test('legoFailure reads the error code of the certificate authority', () => {
  const said = 'acme: error: 429 :: urn:ietf:params:acme:error:rateLimited :: too many';
  assert.equal(legoFailure(said, []).code, 'rateLimited');
});

test('legoFailure returns a default message for empty output', () => {
  assert.match(legoFailure('', []).message, /without an error message/);
});
