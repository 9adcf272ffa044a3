import { Document, isNode, isScalar, LineCounter, parseDocument, Scalar, visit } from 'yaml';
import type { z } from 'zod';

/** A fault in a content file. `line` counts from 1; `field` is a path such as `curriculum[2].topics`. */
export type Fault = { file: string; line: number; field: string; message: string };

type Path = readonly PropertyKey[];

/** Finds the line of a field, or of the nearest field around it that exists. */
export type Locate = (path: Path) => { line: number; field: string };

/** Reads one YAML text against a schema; every fault is reported, none thrown. */
export function readYaml<T>(
  file: string,
  text: string,
  schema: z.ZodType<T>,
): { ok: true; value: T; locate: Locate } | { ok: false; faults: Fault[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) {
    const faults = broken.map((error) => ({
      file,
      line: lines.linePos(error.pos[0]).line,
      field: '',
      message: error.message,
    }));
    return { ok: false, faults };
  }
  // Content has no use for them, and a few lines of them can stand for more text than there is memory.
  const aliases = aliasOffsets(document).map((offset) => ({
    file,
    line: lines.linePos(offset).line,
    field: '',
    message: 'repeats a value by an alias (*name): write it out',
  }));
  if (aliases.length > 0) return { ok: false, faults: aliases };

  const locate: Locate = (path) => {
    for (let depth = path.length; depth >= 0; depth--) {
      const node = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return { line: lines.linePos(node.range[0]).line, field: fieldName(path) };
    }
    return { line: 1, field: fieldName(path) };
  };

  const result = schema.safeParse(document.toJS());
  if (result.success) return { ok: true, value: result.data, locate };
  const faults = result.error.issues.map((issue) => ({ file, ...locate(issue.path), message: issue.message }));
  return { ok: false, faults };
}

function aliasOffsets(document: Document.Parsed): number[] {
  const offsets: number[] = [];
  visit(document, {
    Alias(_, node) {
      offsets.push(node.range?.[0] ?? 0);
    },
  });
  return offsets;
}

/** Writes a record the one way content files are written; `schemaPath` is relative to the file. */
export function writeYaml(value: unknown, schemaPath: string): string {
  const document = new Document(value);
  visit(document, {
    Pair(_, { value: text }) {
      if (isScalar(text) && typeof text.value === 'string' && text.value.length > longestPlain) {
        text.type = text.value.includes('\n') ? Scalar.BLOCK_LITERAL : Scalar.BLOCK_FOLDED;
      }
    },
  });
  const body = document.toString({ lineWidth: 120, singleQuote: true });
  return `# yaml-language-server: $schema=${schemaPath}\n${body}`;
}

// Prose longer than a line stands folded under its key, so that no quotes are needed.
const longestPlain = 90;

function fieldName(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
