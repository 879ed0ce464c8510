/**
 * Exports the parts of the API package that every request needs. Importing the whole package would also load the
 * OpenAPI generator.
 */
export { acceptWithProblem, createAccountClient, createClient, refusal } from '@davit/api';
