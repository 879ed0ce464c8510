import type { WorkProblemCode } from '@davit/api';
import { EngineProblem } from './engine-problem.ts';
import { ImageProblem } from './image-problem.ts';

/** Returns the error code that is stored with a failed task or deployment. Returns `null` if the error has no code. */
export function workProblemCode(failure: unknown): WorkProblemCode | null {
  return failure instanceof ImageProblem || failure instanceof EngineProblem ? failure.code : null;
}
