/** The part of JSON Schema that the description of `/api/v1` uses. */
export interface DescribedSchema {
  type?: string;
  format?: string;
  description?: string;
  enum?: (string | number)[];
  const?: string | number | boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, DescribedSchema>;
  required?: string[];
  items?: DescribedSchema;
  prefixItems?: DescribedSchema[];
  anyOf?: DescribedSchema[];
}

/** The content by media type. */
export type DescribedContent = Record<string, { schema?: DescribedSchema; example?: unknown } | undefined>;

/** The media type of an answer with a file's bytes, whose real type is the file's. */
export const ANY_TYPE = "*/*";

export interface DescribedParameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: DescribedSchema;
  example?: string | number;
}

export interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  /** An empty list for a call that takes no key. */
  security: object[];
  parameters: DescribedParameter[];
  requestBody?: { required: boolean; content: DescribedContent };
  responses: Record<string, { description: string; content?: DescribedContent }>;
}

/** A webhook's request, which the site makes. */
type DescribedEvent = Pick<DescribedOperation, "summary" | "tags" | "parameters" | "requestBody">;

interface DescribedServer {
  url: string;
}
/** The operations of a path. `servers` replaces the servers of all other calls. */
type DescribedPath = Partial<Record<DescribedMethod, DescribedOperation>> & { servers?: DescribedServer[] };
export const DESCRIBED_METHODS = ["get", "head", "options", "post", "put", "patch", "delete"] as const;
type DescribedMethod = (typeof DESCRIBED_METHODS)[number];

/** The part of `/api/v1/openapi.json` that the reference shows. The build writes the file (`scripts/openapi.ts`). */
export interface ApiDescription {
  servers: DescribedServer[];
  paths: Record<string, DescribedPath>;
  /** Webhooks by the type of the event. */
  webhooks: Record<string, { post: DescribedEvent }>;
}
