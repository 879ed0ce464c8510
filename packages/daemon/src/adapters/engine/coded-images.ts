import { canonicalReference, type ImageProblemCode } from '@davit/api';
import type { Engine } from './engine.ts';
import { EngineProblem } from './engine-problem.ts';
import { EngineRefused, ImageNotFound, PullRefused } from './errors.ts';
import { ImageProblem, type ImageSubject } from './image-problem.ts';
import { loggedProblems, type ProblemLog } from './logged-problems.ts';

/**
 * Wraps an `Engine` so that its image methods throw an `ImageProblem` with a fixed message for users. A registry's own
 * error text may quote a response from the private network.
 */
export function codedImages(engine: Engine, log: ProblemLog): Engine {
  async function coded<T>(subject: ImageSubject, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EngineRefused)) throw error;
      const problem = error instanceof ImageProblem ? error : new ImageProblem(codeOf(error), subject, error);
      // Only the log contains the registry's own error text. Users get a fixed message.
      log.warn(
        { ...subject, code: problem.code, reason: reasonOf(problem.cause) },
        'image could not be pulled or inspected',
      );
      throw problem;
    }
  }
  return {
    ...loggedProblems(engine, log),
    findRemoteImage: (reference, auth, signal) =>
      coded(subjectOf(reference), () => engine.findRemoteImage(reference, auth, signal)),
    pullImage: (reference, auth, signal, project) =>
      coded(subjectOf(reference), () => engine.pullImage(reference, auth, signal, project)),
    // The registry may quote the password in its response, so the password is removed from the error text.
    checkRegistry: (host, auth, signal) =>
      coded({ host, image: null }, () => engine.checkRegistry(host, auth, signal).catch(without(auth.password))),
  };
}

function codeOf(error: EngineRefused): ImageProblemCode {
  if (error instanceof PullRefused) return error.code;
  return error instanceof ImageNotFound ? 'image_not_found' : 'image_pull_failed';
}

function subjectOf(reference: string): ImageSubject {
  return { host: canonicalReference(reference)?.host ?? '', image: reference };
}

function reasonOf(cause: unknown): string {
  const deeper = (cause as { cause?: unknown }).cause;
  return deeper instanceof Error ? `${textOf(cause)} (${textOf(deeper)})` : textOf(cause);
}

function textOf(error: unknown): string {
  return error instanceof EngineProblem ? error.words : ((error as Error).message ?? '');
}

function without(password: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof EngineRefused) || error instanceof ImageProblem) throw error;
    const message = error.message.replaceAll(password, '…');
    throw error instanceof PullRefused ? new PullRefused(error.code, message) : new EngineRefused(message);
  };
}
