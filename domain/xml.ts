/** @returns text that an XML document may hold between tags or in an attribute (XML 1.0, 2.4) */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
