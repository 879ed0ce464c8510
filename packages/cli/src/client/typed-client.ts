/**
 * Exports only the parts of `packages/api` that every request needs. An import of the whole package would also load the
 * OpenAPI generator.
 */
export { acceptWithProblem, createAccountClient, createClient, refusal } from '@davit/api';
