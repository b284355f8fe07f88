// The parser of libyaml, loaded at the first call. The events of one YAML document are reduced to those needed to read other programs'
// files: mappings, sequences and scalars.
#pragma once
#include <stddef.h>

typedef struct cyaml_parser cyaml_parser;

enum cyaml_kind {
  cyaml_end,
  cyaml_document,
  cyaml_scalar,
  cyaml_mapping,
  cyaml_mapping_end,
  cyaml_sequence,
  cyaml_sequence_end,
  /// A reference to another part of the document.
  cyaml_alias,
  /// The text is not YAML.
  cyaml_error,
};

typedef struct {
  enum cyaml_kind kind;
  /// A scalar's value, or the reason for an error, in UTF-8 without a terminating zero. It is valid until the next call with this parser.
  const char *text;
  size_t length;
  /// The line where the event begins, counted from 1.
  size_t line;
} cyaml_event;

/// Loads libyaml at the first call. Call it before any other function of this header. Returns NULL on success, otherwise an error message,
/// which the caller must copy immediately.
const char *cyaml_start(void);

/// Returns a parser for a text, which it copies; NULL if there is not enough memory.
cyaml_parser *cyaml_open(const void *text, size_t length);

/// Returns the next event. Nothing may be read after `cyaml_end` or `cyaml_error`.
cyaml_event cyaml_next(cyaml_parser *parser);

void cyaml_close(cyaml_parser *parser);
