/**
 * Tag lists of the instance's registry. The registry software (Distribution 2.8) neither sorts tags nor returns pages,
 * so the daemon does this. The proxy sends only requests for tag lists to the daemon, and all other registry requests
 * directly to the registry.
 */
import { FewAtOnce } from '@davit/service/few-at-once';
import type { ImageRegistry, RegistryRefusal } from '../../adapters/registry/registry.ts';
import { isRepository } from '../../adapters/registry/repository-name.ts';
import { countOf } from '../../auth/facts.ts';
import type { Reply } from '../bind.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint } from '../exchange.ts';
import { codedError, registryError, registryErrorOf } from './errors.ts';
import { tagPage, tagPageRequest } from './tag-page.ts';

/**
 * Maximum number of concurrent requests to the registry. For each request, the registry reads a folder with all tags.
 * Its response can have 32 MiB, before the daemon returns one page of it.
 */
const AT_ONCE = 4;
/** Maximum number of waiting requests. Clients without a credential can also wait, and each request can take 10 s. */
const MOST_WAITING = 32;
/** Number of seconds after which a rejected client should try again. */
const RETRY_AFTER_S = 5;

const PROTOCOL = { 'Docker-Distribution-Api-Version': 'registry/2.0', 'Cache-Control': 'no-store' };

/**
 * Endpoint that lists the tags of a repository, sorted and in pages. The daemon sends the client's credential to the
 * registry, and the registry checks the permissions.
 */
export function registryTagsEndpoint({ registry }: { registry: Pick<ImageRegistry, 'tagsFor'> }): Endpoint {
  const turns = new FewAtOnce(AT_ONCE);
  const options = { access: 'open', raw: true, errorReply: registryErrorOf } as const;
  return absentEndpoint(
    'GET /v2/{project}/{environment}/{app}/tags/list',
    options,
    async ({ exchange, ctx, params: { project, environment, app } }) => {
      const repository = `${project}/${environment}/${app}`;
      const path = `/v2/${repository}/tags/list`;
      // Percent-encoded names are rejected, so that the registry gets exactly the path that the proxy has checked.
      if (!isRepository(repository) || exchange.path !== path)
        return codedError(400, 'NAME_INVALID', 'The repository name is not valid. Send it as project/environment/app.');
      const request = tagPageRequest(exchange.queryText);
      if (request === null)
        return codedError(
          400,
          'PAGINATION_NUMBER_INVALID',
          'The parameter n is not a whole number. Send a number from 0.',
        );
      if (countOf(exchange, 'authorization') > 1)
        return codedError(400, 'UNSUPPORTED', 'The request has several Authorization headers. Send one.');
      if (turns.waiting >= MOST_WAITING) return busy();
      /*
       * If the client disconnects while it waits, its request leaves the queue. A request that was already sent to the
       * registry keeps its slot. The registry reads the complete folder even without the client.
       */
      using _ = await turns.turn(ctx.signal);
      const answer = await registry.tagsFor(repository, exchange.headers.authorization);
      if ('refusal' in answer) return refused(answer.refusal);
      const { tags, next } = tagPage(answer.tags, request);
      const link = next === null ? {} : { Link: `<${path}?${next}>; rel="next"` };
      return { status: 200, body: { name: repository, tags }, headers: { ...PROTOCOL, ...link } };
    },
  );
}

function busy(): Reply {
  const headers = { ...PROTOCOL, 'Retry-After': String(RETRY_AFTER_S) };
  return registryError(503, `Too many clients are requesting lists of tags. Try again in ${RETRY_AFTER_S} s.`, headers);
}

/**
 * Converts an error response of the registry. The header `WWW-Authenticate` contains the URL where the client can get a
 * token.
 */
function refused({ status, challenge, body }: RegistryRefusal): Reply {
  const headers = { ...PROTOCOL, ...(challenge !== null && { 'WWW-Authenticate': challenge }) };
  if (body !== null) return { status, body, headers };
  return registryError(status, `The registry responded with status ${status}. Try again later.`, headers);
}
