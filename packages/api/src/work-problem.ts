import { ENGINE_PROBLEM_CODES, type EngineProblemCode } from './engine-problem.ts';
import { IMAGE_PROBLEM_CODES, type ImageProblemCode } from './image-problem.ts';

/** Error code that says why a deployment, a background task or a command run failed. */
export type WorkProblemCode = ImageProblemCode | EngineProblemCode;

export const WORK_PROBLEM_CODES = [...IMAGE_PROBLEM_CODES, ...ENGINE_PROBLEM_CODES] as const;
