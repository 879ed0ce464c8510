import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AddressRule, isPublicAddress } from '@davit/service';
import { CLOSED_ENDPOINT, demandAllowed, endpointOf, isRefusedEndpoint, lookupWithin } from './address.ts';
import { StoreProblem } from './problem.ts';

describe('object store endpoint', () => {
  it('has one spelling for equivalent URLs', () => {
    for (const [text, origin] of [
      ['https://S3.Example.com', 'https://s3.example.com'],
      ['https://s3.example.com:443/', 'https://s3.example.com'],
      ['http://10.0.0.7:9000', 'http://10.0.0.7:9000'],
      ['http://0x7f.1', 'http://127.0.0.1'],
      ['http://[::1]:9000', 'http://[::1]:9000'],
    ] as const) {
      assert.equal(endpointOf(text), origin);
    }
  });

  it('is null unless the text is only a scheme and a host', () => {
    for (const text of [
      ...['', 's3.example.com', '//s3.example.com', 'ftp://s3.example.com', 'file:///etc/passwd', 'http://'],
      ...[
        'https://a@s3.example.com',
        'https://a:b@s3.example.com',
        'https://s3.example.com/x',
        'https://s3.example.com?x',
      ],
      ...['https://s3.example.com#x', 'https://s3 .example.com', 'https://s3.example.com:99999', 'http://h:0'],
      ...['https://s3.example.com\\@evil', 'https://s3.example.com\n', `https://${'a'.repeat(254)}`],
    ]) {
      assert.equal(endpointOf(text), null, JSON.stringify(text));
    }
  });

  it('is refused for metadata, link-local and special addresses in any notation', () => {
    for (const host of [
      ...['169.254.169.254', '169.254.170.2', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518'],
      ...[
        '[fe80::1]',
        '[fd00:ec2::254]',
        '[::ffff:169.254.169.254]',
        '[::ffff:a9fe:a9fe]',
        '[64:ff9b::a9fe:a9fe]',
        '100.100.100.200',
      ],
      ...['0.0.0.0', '[::]', '224.0.0.1', '255.255.255.255', '[ff02::1]', '192.0.0.192'],
    ]) {
      const endpoint = endpointOf(`http://${host}`);
      assert.ok(endpoint !== null && isRefusedEndpoint(endpoint), host);
    }
  });

  it('is allowed in loopback and private networks', () => {
    for (const host of [
      '127.0.0.1',
      '10.1.2.3',
      '192.168.1.5',
      '172.17.0.2',
      '[fd12:3456::1]',
      '[::1]',
      's3.internal',
    ]) {
      assert.equal(isRefusedEndpoint(`http://${host}`), false, host);
    }
  });

  it('must be public for a store that is limited to public addresses', () => {
    for (const host of ['127.0.0.1', '10.1.2.3', '[::1]', '[fd12::1]', '[::ffff:10.0.0.1]', '100.64.0.1', '2130706433'])
      assert.throws(() => demandAllowed(`http://${host}`, isPublicAddress), { kind: 'forbidden' }, host);
    for (const host of ['8.8.8.8', '[2606:4700::1111]', 's3.example.com'])
      demandAllowed(`http://${host}`, isPublicAddress);
    demandAllowed('http://10.1.2.3', null);
    assert.throws(() => demandAllowed('http://169.254.169.254', null), { kind: 'refused' });
  });

  it('is checked again after the host name is resolved', async () => {
    const resolve = (host: string, all: boolean, limit: AddressRule | null = null) =>
      new Promise<unknown>((done, fail) => {
        lookupWithin(limit)(host, { all }, (error, found) => (error ? fail(error) : done(found)));
      });

    await assert.rejects(resolve('169.254.169.254', false), (error) => {
      assert.ok(error instanceof StoreProblem);
      assert.match(error.message, /has an address to which Davit does not connect/);
      return true;
    });
    await assert.rejects(resolve('169.254.169.254', true), StoreProblem);
    assert.equal(await resolve('127.0.0.1', false), '127.0.0.1');
    assert.deepEqual(await resolve('127.0.0.1', true), [{ address: '127.0.0.1', family: 4 }]);
    await assert.rejects(resolve('store.invalid', true), { code: /ENOTFOUND|EAI_AGAIN/ });

    const limit = (address: string) => address === '127.0.0.2';
    assert.equal(await resolve('127.0.0.2', false, limit), '127.0.0.2');
    await assert.rejects(resolve('127.0.0.1', false, limit), { kind: 'forbidden', message: CLOSED_ENDPOINT });
    await assert.rejects(
      resolve('169.254.169.254', false, () => true),
      { kind: 'forbidden', message: CLOSED_ENDPOINT },
    );
  });
});
