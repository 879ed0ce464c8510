import type { ImageProblemCode } from '@davit/api';
import { EngineRefused } from './errors.ts';

/** The image or registry that an error message mentions. */
export interface ImageSubject {
  host: string;
  /**
   * Image reference as the user wrote it. `null` if the error is only about a registry, for example about its
   * credentials.
   */
  image: string | null;
}

/**
 * Error for an image that cannot be pulled. Users see the error message. `cause` contains the error text of Docker or
 * the registry, and is only for the log.
 */
export class ImageProblem extends EngineRefused {
  override name = 'ImageProblem';
  readonly code: ImageProblemCode;

  constructor(code: ImageProblemCode, subject: ImageSubject, cause: unknown) {
    super(SENTENCES[code](subject), { cause });
    this.code = code;
  }
}

const SENTENCES: Record<ImageProblemCode, (subject: ImageSubject) => string> = {
  image_not_found: ({ host, image }) =>
    `The registry ${host} has no image ${image ?? 'of this name'}. Check the repository and the tag, and store credentials if the image is private.`,
  registry_unauthorized: ({ host, image }) =>
    image === null
      ? `The registry ${host} does not accept these credentials. Check the user name and the password.`
      : `The registry ${host} does not allow a pull of ${image}. Check the name of the image and the stored credentials of the registry.`,
  registry_not_public: ({ host }) =>
    `Davit cannot use the registry ${host}: the name of its host, token service or redirect is unknown, or its address is private. Check the name, or ask an admin to add the host to the setting registries.private_hosts.`,
  registry_unreachable: ({ host }) =>
    `The registry ${host} does not respond, or responds with an error. Check the name of the registry and the network of the server.`,
  registry_rate_limited: ({ host }) =>
    `The registry ${host} limits the number of pulls. Try again later, or store credentials of an account with a higher limit.`,
  registry_answer_invalid: ({ host }) =>
    `The registry ${host} sent a response that Davit cannot use. Check the name of the registry, or push the image again.`,
  image_pull_failed: ({ image }) =>
    `Docker could not pull ${image ?? 'the image'}. Find the reason in the log of the instance.`,
};
