#include "late_binding.h"
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#pragma GCC visibility push(hidden)
#include "cyaml.h"

LATE_BINDING(yaml, "libyaml-0.so.2", "libyaml-0-2");

struct cyaml_parser {
  yaml_parser_t parser;
  /// The event whose text was returned last.
  yaml_event_t event;
  int hasEvent;
  unsigned char text[];
};

const char *cyaml_start(void) { return late_load(&yaml); }

cyaml_parser *cyaml_open(const void *text, size_t length) {
  cyaml_parser *parser = calloc(1, sizeof *parser + length);
  if (!parser) return NULL;
  if (!LATE(yaml, yaml_parser_initialize)(&parser->parser)) {
    free(parser);
    return NULL;
  }
  if (length) memcpy(parser->text, text, length);
  LATE(yaml, yaml_parser_set_input_string)(&parser->parser, parser->text, length);
  // Without this, libyaml would guess UTF-16 from the first bytes.
  LATE(yaml, yaml_parser_set_encoding)(&parser->parser, YAML_UTF8_ENCODING);
  return parser;
}

static void release(cyaml_parser *parser) {
  if (parser->hasEvent) LATE(yaml, yaml_event_delete)(&parser->event);
  parser->hasEvent = 0;
}

cyaml_event cyaml_next(cyaml_parser *parser) {
  for (;;) {
    release(parser);
    if (!LATE(yaml, yaml_parser_parse)(&parser->parser, &parser->event)) {
      const char *problem = parser->parser.problem ? parser->parser.problem : "it is not YAML";
      return (cyaml_event){cyaml_error, problem, strlen(problem), parser->parser.problem_mark.line + 1};
    }
    parser->hasEvent = 1;
    cyaml_event event = {cyaml_end, NULL, 0, parser->event.start_mark.line + 1};
    switch (parser->event.type) {
    case YAML_STREAM_END_EVENT: return event;
    case YAML_DOCUMENT_START_EVENT: event.kind = cyaml_document; return event;
    case YAML_ALIAS_EVENT: event.kind = cyaml_alias; return event;
    case YAML_MAPPING_START_EVENT: event.kind = cyaml_mapping; return event;
    case YAML_MAPPING_END_EVENT: event.kind = cyaml_mapping_end; return event;
    case YAML_SEQUENCE_START_EVENT: event.kind = cyaml_sequence; return event;
    case YAML_SEQUENCE_END_EVENT: event.kind = cyaml_sequence_end; return event;
    case YAML_SCALAR_EVENT:
      event.kind = cyaml_scalar;
      event.text = (const char *)parser->event.data.scalar.value;
      event.length = parser->event.data.scalar.length;
      return event;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT: break;
    }
  }
}

void cyaml_close(cyaml_parser *parser) {
  release(parser);
  LATE(yaml, yaml_parser_delete)(&parser->parser);
  free(parser);
}
