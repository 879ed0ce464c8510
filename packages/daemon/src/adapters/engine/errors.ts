import type { ImageProblemCode } from '@davit/api';

/**
 * Error for a container engine that does not answer. Read requests then return the last known state. The API refuses
 * deployments with status 503.
 */
export class EngineUnavailable extends Error {
  override name = 'EngineUnavailable';
}

/**
 * Abort reason that stops only the wait for a one-off command. The container keeps running, and the next call with the
 * same container name waits for its exit.
 */
export class LeftRunning extends Error {
  override name = 'LeftRunning';
}

/**
 * Error for a request that the container engine or its adapter refused. Users read the message, so Davit writes the
 * text itself. The subclass `EngineProblem` keeps the error text of the engine for the log.
 */
export class EngineRefused extends Error {
  override name = 'EngineRefused';
}

/**
 * Error for an image pull that failed because of the registry. The message is the error text of the container engine,
 * from which the code was derived. `codedImages` replaces this error before users see a message.
 */
export class PullRefused extends EngineRefused {
  override name = 'PullRefused';
  readonly code: ImageProblemCode;

  constructor(code: ImageProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Error for an image that does not exist locally or in the registry. The message contains the image name and the answer
 * of the registry.
 */
export class ImageNotFound extends EngineRefused {
  override name = 'ImageNotFound';
}
