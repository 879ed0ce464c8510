/**
 * Descriptions of API requests for the audit log page. A description is used if a request has no operation name, or if
 * users would not understand the name.
 */
const WORDS: Record<string, string> = {
  'GET /api/setup': 'Check whether an admin exists',
  'POST /api/setup': 'Create the first admin',
  'POST /api/auth/login': 'Sign in',
  'POST /api/auth/logout': 'Sign out',
  'GET /api/users/me/api-keys': 'List own API keys',
  'POST /api/users/me/api-keys': 'Create API key',
  'DELETE /api/users/me/api-keys/{key}': 'Revoke own API key',
  'POST /api/users/me/api-keys/{key}/rotate': 'Rotate own API key',
  'GET /api/users/me/sessions': 'List own sessions',
  'DELETE /api/users/me/sessions/{session}': 'End own session',
  'GET /api/users/me/connections': 'List own OAuth clients',
  'DELETE /api/users/me/connections/{connection}': 'Disconnect an OAuth client from the user’s own account',
  'POST /api/oauth/review': 'Review the access request of an OAuth client',
  'POST /api/oauth/consent': 'Allow or deny access for an OAuth client',
  'POST /oauth/token': 'Request an access token for an OAuth client',
  'POST /oauth/revoke': 'Revoke an access token of an OAuth client',
  'PUT /api/users/me/password': 'Change own password',
  'GET /api/apps/{project}/{environment}/{app}/shell': 'Open terminal',
  'GET /v2/token': 'Request a registry token',
  'GET /v2/{project}/{environment}/{app}/tags/list': 'List image tags',
  'POST /hooks/registry': 'Push image',
  'GET /metrics': 'View metrics',
  'POST /mcp': 'Send an MCP request',
  runInApp: 'Run command',
  verifyAudit: 'Verify audit log',
  listAudit: 'View audit log',
  checkPlatformImages: 'Check for security updates',
  checkInstance: 'Check the instance',
  repairInstance: 'Repair the instance',
  replaceRecoveryKey: 'Replace the recovery key',
  collectImages: 'Remove unused images',
  collectRegistry: 'Remove unused images from the registry',
  addDomain: 'Add domain',
  promoteEnvironment: 'Promote environment',
  bindExternalAccount: 'Connect certificate authority account',
  unbindExternalAccount: 'Disconnect certificate authority account',
  getAuthority: 'View the details of the certificate authority',
  listUnrecorded: 'List orphaned volumes and images',
  adoptUnrecorded: 'Assign orphaned volume',
  deleteUnrecorded: 'Delete orphaned volume or image',
  getMe: 'View own user',
};

const VERBS: Record<string, string> = {
  get: 'View',
  patch: 'Change',
  put: 'Replace',
  rollback: 'Roll back',
};

/** Maps words in the names of API operations to their correct spelling, such as `dns` to `DNS`. */
const NOUNS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\bdns\b/g, 'DNS'],
  [/\btcp\b/g, 'TCP'],
  [/\b(app|environment|project) env\b/g, '$1 variables'],
  [/\buser key/g, 'user’s API key'],
  [/\buser session/g, 'user’s session'],
  [/\buser connection/g, 'user’s connection'],
  [/\bown registry\b/g, 'registry'],
];

/**
 * Describes an API operation for the audit log page, such as `Deploy app` for `deployApp`. If the operation has no
 * name, the result is the route of the API request.
 */
export function operationInWords(operation: string): string {
  const known = WORDS[operation];
  if (known !== undefined) return known;
  if (!/^[a-z]+([A-Z][a-z]*)*$/.test(operation)) return operation;
  const [verb = '', ...rest] = operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
  const noun = NOUNS.reduce((words, [pattern, better]) => words.replace(pattern, better), rest.join(' '));
  const first = VERBS[verb] ?? verb.charAt(0).toUpperCase() + verb.slice(1);
  return noun === '' ? first : `${first} ${noun}`;
}
