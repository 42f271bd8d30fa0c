/** Writes a record of CSV by RFC 4180 without its line end. */
export function formatCsvRecord(fields: readonly string[]): string {
  return fields.map(formatField).join(',');
}

function formatField(field: string): string {
  return /[",\r\n\uFEFF]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
