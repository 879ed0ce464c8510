/**
 * The dashboard's pages, as their addresses: the instance answers each with the same document, and anything else at its
 * root is no page. The dashboard's routes and its builder of addresses are held against this list by a test.
 */
export const PAGES = [
  '/',
  '/claim',
  '/sign-in',
  '/projects',
  '/projects/{project}',
  '/projects/{project}/settings',
  '/projects/{project}/{environment}',
  '/projects/{project}/{environment}/settings',
  '/projects/{project}/{environment}/{app}',
  '/projects/{project}/{environment}/{app}/deployments',
  '/projects/{project}/{environment}/{app}/deployments/{deployment}',
  '/projects/{project}/{environment}/{app}/logs',
  '/projects/{project}/{environment}/{app}/terminal',
  '/projects/{project}/{environment}/{app}/environment',
  '/projects/{project}/{environment}/{app}/settings',
  '/registry',
  '/certificates',
  '/users',
  '/users/{user}',
  '/audit',
  '/settings',
  '/account',
  '/oauth/authorize',
] as const;
