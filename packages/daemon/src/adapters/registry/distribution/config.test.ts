import assert from 'node:assert/strict';
import test from 'node:test';
import { renderConfig } from './config.ts';

const SETUP = {
  port: 5000,
  realm: 'http://127.0.0.1:3000/v2/token',
  service: 'davit',
  issuer: 'davit-abcd1234',
  certificate: '-----BEGIN CERTIFICATE-----\n',
  hook: { url: 'http://127.0.0.1:3000/hooks/registry', secret: 's3cret' },
};

const GOLDEN = `{
  "version": "0.1",
  "log": {
    "level": "error",
    "formatter": "json",
    "accesslog": {
      "disabled": true
    }
  },
  "storage": {
    "filesystem": {
      "rootdirectory": "/var/lib/registry"
    },
    "delete": {
      "enabled": true
    },
    "maintenance": {
      "readonly": {
        "enabled": false
      },
      "uploadpurging": {
        "enabled": true,
        "age": "168h",
        "interval": "24h",
        "dryrun": false
      }
    }
  },
  "http": {
    "addr": "127.0.0.2:5000",
    "relativeurls": true,
    "secret": "0c01ac84f4e73a8513badd5ef0cc5dafb44e5830538faab2db09649c8f3a897e",
    "draintimeout": "10s",
    "headers": {
      "X-Content-Type-Options": [
        "nosniff"
      ]
    }
  },
  "auth": {
    "token": {
      "realm": "http://127.0.0.1:3000/v2/token",
      "service": "davit",
      "issuer": "davit-abcd1234",
      "rootcertbundle": "/etc/davit-registry/certificate.pem"
    }
  },
  "notifications": {
    "events": {
      "includereferences": false
    },
    "endpoints": [
      {
        "name": "davit",
        "url": "http://127.0.0.1:3000/hooks/registry",
        "headers": {
          "Authorization": [
            "Bearer s3cret"
          ]
        },
        "timeout": "5s",
        "threshold": 5,
        "backoff": "1s",
        "ignore": {
          "mediatypes": [
            "application/octet-stream"
          ],
          "actions": [
            "pull"
          ]
        }
      }
    ]
  }
}
`;

test('renderConfig writes the expected registry configuration and the certificate', () => {
  const files = renderConfig(SETUP, false);

  assert.equal(files['config.yml'], GOLDEN);
  assert.equal(files['certificate.pem'], SETUP.certificate);
});

test('renderConfig changes a single line for a read-only registry', () => {
  const lines = (readOnly: boolean) => renderConfig(SETUP, readOnly)['config.yml'].split('\n');
  const usual = lines(false);

  const differing = lines(true).filter((line, i) => line !== usual[i]);

  assert.deepEqual(differing, ['        "enabled": true']);
});

test('the upload secret differs from the webhook secret and changes only with the webhook secret', () => {
  const secretOf = (setup: typeof SETUP) => JSON.parse(renderConfig(setup, false)['config.yml']).http.secret as string;

  assert.notEqual(secretOf(SETUP), SETUP.hook.secret);
  assert.equal(secretOf({ ...SETUP, certificate: 'renewed' }), secretOf(SETUP));
  assert.notEqual(secretOf({ ...SETUP, hook: { ...SETUP.hook, secret: 'other' } }), secretOf(SETUP));
});
