/** Headers that every answer of ours carries unless it has set its own. */
const HEADERS: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-frame-options": "DENY",
};

/** The answer with the headers above; one that cannot be changed is copied. A socket's answer is left alone. */
export function withSecurityHeaders(response: Response): Response {
  if (response.webSocket) return response;
  const copy = new Response(response.body, response);
  for (const [name, value] of Object.entries(HEADERS)) if (!copy.headers.has(name)) copy.headers.set(name, value);
  return copy;
}
