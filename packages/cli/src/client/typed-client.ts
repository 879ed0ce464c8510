/**
 * Exports the parts of the API package that every request needs. A dynamic import of the whole package would also load
 * the code that makes the OpenAPI document.
 */
export { acceptWithProblem, createAccountClient, createClient, refusal } from '@davit/api';
