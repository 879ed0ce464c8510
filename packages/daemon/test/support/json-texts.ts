/**
 * Texts that JSON parsers interpret differently, or that make parsers fail. The kinds and the prefixes of the names
 * come from Nicolas Seriot's survey of parsers ("Parsing JSON is a minefield"): `y_` is JSON, `n_` is not, `i_` depends
 * on the parser. The texts were written for this project and have its licence (Apache-2.0).
 *
 * The API accepts less than JSON: one object with the same meaning for every parser.
 */
import { type Texts, VALUES_READ, VALUES_REFUSED, VALUES_WRONG } from './json-values.ts';

export interface JsonText {
  name: string;
  bytes: Buffer;
  /** Whether the API parses the text. Its fields may still be invalid. */
  isRead: boolean;
}

/** Complete bodies that the API parses. */
const BODIES_READ: Texts = {
  y_body_empty_object: '{}',
  y_body_empty_object_with_spaces: '{ }',
  y_body_space_before: ' {"a":1}',
  y_body_space_behind: '{"a":1} ',
  y_body_line_breaks_around: '\r\n\t{"a":1}\n\n',
  y_body_spread_over_lines: '{\n  "a" : 1 ,\r\n  "b" : [ ]\n}',
  y_body_two_keys: '{"a":1,"b":2}',
  y_body_keys_that_differ_in_case: '{"a":1,"A":2}',
  y_body_keys_that_look_alike: '{"a":1,"\u0430":2}',
  y_body_keys_composed_and_not: '{"\u00e9":1,"e\u0301":2}',
  y_body_constructor: '{"constructor":{"prototype":{"polluted":true}}}',
  y_body_prototype: '{"prototype":{"polluted":true}}',
  y_body_getter_names: '{"__defineGetter__":1,"__lookupSetter__":2}',
  y_body_to_json: '{"toJSON":1,"then":2}',
  y_body_length: '{"length":-1,"0":"a"}',
};

/**
 * Complete bodies that the API refuses. Most of them are JSON, but not an object with the same meaning for every
 * parser.
 */
const BODIES_REFUSED: Texts = {
  y_body_null: 'null',
  y_body_true: 'true',
  y_body_false: 'false',
  y_body_zero: '0',
  y_body_negative: '-1',
  y_body_decimal: '1.5',
  y_body_string: '"asd"',
  y_body_empty_string: '""',
  y_body_string_of_an_object: '"{}"',
  y_body_array: '[]',
  y_body_array_of_an_object: '[{}]',
  y_body_array_of_pairs: '[["slug","x"]]',
  y_body_duplicated_key: '{"a":1,"a":2}',
  y_body_duplicated_key_escaped: '{"slug":"a","s\\u006cug":"b"}',
  y_body_proto: '{"__proto__":{"polluted":true}}',
  y_body_proto_twice_over: '{"a":{"__proto__":{"__proto__":{}}}}',
  n_body_space: ' ',
  n_body_line_break: '\n',
  n_body_comma: ',',
  n_body_colon: ':',
  n_body_word: 'abc',
  n_body_capital_true: 'TRUE',
  n_body_number_and_space: '1 2',
  n_body_two_objects: '{}{}',
  n_body_two_objects_in_lines: '{}\n{}',
  n_body_object_and_comma: '{},',
  n_body_object_and_bracket: '{}]',
  n_body_object_and_brace: '{}}',
  n_body_object_and_quote: '{}"',
  n_body_object_and_word: '{"a":1}x',
  n_body_object_and_comment: '{"a":1}/**/',
  n_body_object_and_line_comment: '{"a":1}// b',
  n_body_comment_first: '/**/{"a":1}',
  n_body_brace: '{',
  n_body_closing_brace: '}',
  n_body_brackets_mixed: '[{]}',
  n_body_quote: '"',
  n_body_cut: '{"a',
  n_body_cut_after_key: '{"a"',
  n_body_cut_after_colon: '{"a":',
  n_body_cut_after_comma: '{"a":1,',
  n_body_no_execute_prefix: ")]}',\n{}",
  n_body_loop_prefix: 'while(1);{}',
  n_body_callback: 'callback({})',
  n_body_form: 'a=1&b=2',
  n_body_multipart: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
  n_body_xml: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  n_body_yaml: 'a: !!js/function "function(){}"',
  n_body_yaml_anchors: 'a: &a [*a]',
  n_body_toml: 'a = 1',
  n_body_json5: "{a:1,b:'c',}",
  n_body_byte_order_mark_alone: '\uFEFF',
  n_body_byte_order_mark_first: '\uFEFF{}',
  n_body_byte_order_mark_behind: '{}\uFEFF',
  n_body_no_break_space_first: '\u00A0{}',
  n_body_word_joiner_first: '\u2060{}',
  n_body_null_first: '\u0000{}',
  n_body_null_behind: '{}\u0000',
  n_body_nulls: '\u0000'.repeat(16),
  n_body_substitute_behind: '{}\u001a',
  n_body_form_feed: '\f{}',
  n_body_100_000_brackets: '['.repeat(100_000),
  n_body_100_000_braces: '{"a":'.repeat(100_000),
  n_body_100_000_quotes: '"'.repeat(100_000),
  n_body_100_000_backslashes: `{"a":"${'\\'.repeat(100_001)}"}`,
  n_body_100_000_minuses: `{"a":${'-'.repeat(100_000)}1}`,
};

/**
 * Bytes that are not UTF-8, each written as a Latin-1 character. The bytes are in a string of a complete body, except
 * those named `body`.
 */
const BYTES_REFUSED: Texts = {
  n_bytes_continuation_alone: '\x80',
  n_bytes_two_continuations: '\x80\xbf',
  n_bytes_lead_alone: '\xc3',
  n_bytes_lead_and_letter: '\xc3a',
  n_bytes_two_leads: '\xc3\xc3',
  n_bytes_three_byte_cut: '\xe2\x82',
  n_bytes_four_byte_cut: '\xf0\x9f\x98',
  n_bytes_overlong_two: '\xc0\xaf',
  n_bytes_overlong_null: '\xc0\x80',
  n_bytes_overlong_three: '\xe0\x80\xaf',
  n_bytes_overlong_four: '\xf0\x80\x80\xaf',
  n_bytes_five_byte: '\xf8\x88\x80\x80\x80',
  n_bytes_six_byte: '\xfc\x84\x80\x80\x80\x80',
  n_bytes_surrogate_high: '\xed\xa0\x80',
  n_bytes_surrogate_low: '\xed\xb0\x80',
  n_bytes_surrogate_pair: '\xed\xa0\xbd\xed\xb8\x80',
  n_bytes_beyond_unicode: '\xf4\x90\x80\x80',
  n_bytes_fe: '\xfe',
  n_bytes_ff: '\xff',
  n_bytes_latin_1: 'caf\xe9',
  n_bytes_windows_quotes: '\x93a\x94',
  n_bytes_after_good_ones: 'a\xc3\xa9\xe9',
  n_body_utf_16_little: '\xff\xfe{\x00}\x00',
  n_body_utf_16_big: '\xfe\xff\x00{\x00}',
  n_body_utf_16_without_mark: '{\x00}\x00',
  n_body_utf_32: '{\x00\x00\x00}\x00\x00\x00',
  n_body_utf_7: '+AHsAfQ-',
  n_body_gzip: '\x1f\x8b\x08\x00\x00\x00\x00\x00',
  n_body_key_not_utf_8: '{"\xe5":1}',
  n_body_cbor: '\xa1\x61a\x01',
  n_body_message_pack: '\x81\xa1a\x01',
  n_body_bson: '\x05\x00\x00\x00\x00',
};

/** All texts, each as the body of a request. */
export const JSON_TEXTS: readonly JsonText[] = [
  ...texts(VALUES_READ, true, (value) => `{"a":${value}}`),
  ...texts(VALUES_REFUSED, false, (value) => `{"a":${value}}`),
  ...texts(VALUES_WRONG, false, (value) => `{"a":${value}}`),
  ...texts(BODIES_READ, true, (body) => body),
  ...texts(BODIES_REFUSED, false, (body) => body),
  ...Object.entries(BYTES_REFUSED).map(([name, text]) => ({
    name,
    bytes: Buffer.from(name.startsWith('n_body') ? text : `{"a":"${text}"}`, 'latin1'),
    isRead: false,
  })),
];

function texts(table: Texts, isRead: boolean, bodyOf: (text: string) => string): JsonText[] {
  return Object.entries(table).map(([name, text]) => ({ name, bytes: Buffer.from(bodyOf(text)), isRead }));
}
