/**
 * The parts of the API's package that every request needs, by a door of its own: imported as a whole when it is
 * needed, it would bring along what makes the document.
 */
export { acceptWithProblem, createAccountClient, createClient, refusal } from '@davit/api';
