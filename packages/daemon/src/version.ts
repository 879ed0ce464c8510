/** Version of the daemon in `GET /api/instance`, in the API description and for MCP clients. */
export const VERSION = '0.1.0';
