/**
 * Limits for the target and the headers of a request. HAProxy must read them into one buffer, so its buffers are
 * larger than the limits. Only then can a rule refuse a request with the right status and Davit's own text.
 *
 * HAProxy 2.6 itself refuses headers that do not fit into a buffer, and invalid HTTP, with status 400 and a fixed page.
 */
import { SENTENCE, TEXT } from './sentences.ts';

/** Maximum size of all headers in bytes. It leaves room for a value of 32 KiB and the usual headers of a client. */
export const MOST_HEADER_BYTES = 36 * 1024;

/** Maximum number of headers. It leaves room for 200 headers of an application and the usual headers of a client. */
const MOST_HEADERS = 256;

/** Maximum length of a request target in bytes, without the headers. */
export const MOST_TARGET_BYTES = 16 * 1024;

/**
 * Minimum number of bytes in the buffer of a request whose headers can be too large. HAProxy knows the number of bytes
 * in a buffer, but writes all headers as text to measure them. The text has 4 bytes more for each header.
 */
const POSSIBLY_LARGE = MOST_HEADER_BYTES - 8 * MOST_HEADERS;

/**
 * Size of HAProxy's buffers in bytes. A connection has buffers only while it transfers data, at most two per direction.
 */
const BUFFER_BYTES = 64 * 1024;

/** Maximum number of headers that HAProxy reads. A rule refuses every request with more than {@link MOST_HEADERS}. */
const READ_HEADERS = 2_048;

/** Lines for the section `global` of the HAProxy configuration. */
export const BUFFERS = `  tune.bufsize ${BUFFER_BYTES}
  tune.http.maxhdr ${READ_HEADERS}`;

/** HAProxy rules that refuse a request whose headers or target are too large. */
export const REQUEST_LIMITS = `  http-request return status 431 content-type "${TEXT}" string "${SENTENCE.largeHeaders}" if { req.fhdr_cnt gt ${MOST_HEADERS} } || { req.len gt ${POSSIBLY_LARGE} } { req.hdrs,length gt ${MOST_HEADER_BYTES} }
  http-request return status 414 content-type "${TEXT}" string "${SENTENCE.longTarget}" if { url,length gt ${MOST_TARGET_BYTES} }`;
