import type { DraftInput } from '../draft.ts';

const SECRET =
  /(?:^|_)(?:PASS|PASSWD|PASSWORD|PASSPHRASE|PWD|SECRETS?|TOKEN|SALT|PEPPER|(?:[A-Z0-9]+_?)?KEY|APIKEY|CREDENTIALS?)(?:_?BASE|_?BASE64|_?\d+)?$/;
const NO_SECRET = /(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION|CACHE)_?KEY|KEY_?(?:PATH|FILE|ID|NAME)$|_FILE$/;
/**
 * Matches names of secrets that an external service issues, such as an SMTP password. For such a secret, a generated
 * value would not work.
 */
const OF_OTHERS =
  /SMTP|MAIL|OAUTH|OIDC|SAML|LDAP|CLIENT|OPENAI|ANTHROPIC|AWS|(?:^|_)S3|STRIPE|PAYPAL|GITHUB|GITLAB|GOOGLE|AZURE|SLACK|TELEGRAM|DISCORD|TWILIO|SENTRY|CLOUDFLARE|LICEN[CS]E|API_?KEY|ACCESS_?KEY/;

/**
 * Matches Compose variables that Coolify fills with a generated password or key, such as `SERVICE_PASSWORD_64_UMAMI`.
 * The number is the length of the secret.
 */
const GENERATED = /^SERVICE_(PASSWORD(?:WITHSYMBOLS)?|BASE64|REALBASE64|HEX)(?:_(32|64|128))?(?:_|$)/;
/** Length of a secret of Coolify if the name of the variable contains no length. */
const USUAL_LENGTH = 32;

/** Returns whether the name of a variable suggests that its value is a secret. */
export function isSecretName(name: string): boolean {
  if (GENERATED.test(name)) return true;
  const plain = shouted(name);
  return SECRET.test(plain) && !NO_SECRET.test(plain);
}

/**
 * Returns whether the secret in a variable comes from an external service, such as an SMTP password. In this case, the
 * user must enter the secret.
 */
export function isExternalSecret(name: string): boolean {
  return !GENERATED.test(name) && OF_OTHERS.test(shouted(name));
}

/** Returns whether the value of a variable can be a secret. Booleans, short numbers, paths and URLs are not secrets. */
export function isSecretValue(value: string): boolean {
  if (value.trim() === '' || /^(?:true|false|yes|no|on|off|none|null|\d{1,6})$/i.test(value)) return false;
  return !/^[a-z][a-z0-9+.-]*:\/\/|^\.?\.?\//i.test(value);
}

type SecretShape = Pick<DraftInput, 'generate' | 'format' | 'bytes'>;

/**
 * Returns settings for a secret input of a template, such as `generate`. With these settings, Davit generates a secret
 * in the format that the name of the variable requires, or in a format that is similar to `value`.
 */
export function secretShape(name: string, value: string): SecretShape {
  const [whole, kind, length = USUAL_LENGTH] = GENERATED.exec(name) ?? [];
  return whole === undefined ? shapeOfValue(value) : shapeOfKind(kind, Number(length));
}

/** In Coolify, `BASE64` means plain random characters, and only `REALBASE64` means the encoding Base64. */
function shapeOfKind(kind: string | undefined, length: number): SecretShape {
  if (kind === 'HEX') return { format: 'hex', bytes: length };
  if (kind === 'REALBASE64') return { format: 'base64', bytes: length };
  return { generate: length };
}

function shapeOfValue(value: string): SecretShape {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value)) return { format: 'uuid' };
  if (/^(?:[0-9a-f]{2}){16,64}$/i.test(value) && /\d/.test(value)) return { format: 'hex', bytes: value.length / 2 };
  return { generate: value.length < 16 || /\s/.test(value) ? 32 : Math.min(value.length, 128) };
}

function shouted(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^a-zA-Z0-9]+/g, '_')
    .toUpperCase();
}
