package io.uniserve.gateways.druid.jdbc;

import io.uniserve.gateways.druid.sql.DruidSql;
import io.uniserve.runtime.client.UniserveClient;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.avatica.metrics.MetricsSystem;
import org.apache.calcite.avatica.metrics.noop.NoopMetricsSystem;
import org.apache.calcite.avatica.remote.Handler;
import org.apache.calcite.avatica.remote.JsonHandler;
import org.apache.calcite.avatica.remote.LocalService;
import org.apache.calcite.avatica.remote.ProtobufHandler;
import org.apache.calcite.avatica.remote.ProtobufTranslationImpl;
import org.apache.calcite.avatica.remote.Service;

/** Avatica's requests over HTTP, in JSON and in Protocol Buffers. */
public final class JdbcRequests {
  private final Handler<String> json;
  private final Handler<byte[]> protobuf;

  /** Makes what answers requests. */
  public JdbcRequests(UniserveClient client, DruidSql sql) {
    LocalService service = new LocalService(new JdbcMeta(client, sql));
    service.setRpcMetadata(new Service.RpcMetadataResponse("uniserve"));
    MetricsSystem unmeasured = NoopMetricsSystem.getInstance();
    json =
        new JsonHandler(service, unmeasured) {
          @Override
          public HandlerResponse<String> convertToErrorResponse(Exception e) {
            return super.convertToErrorResponse(JdbcFailure.withoutTraces(e));
          }
        };
    protobuf =
        new ProtobufHandler(service, new ProtobufTranslationImpl(), unmeasured) {
          @Override
          public HandlerResponse<byte[]> convertToErrorResponse(Exception e) {
            return super.convertToErrorResponse(JdbcFailure.withoutTraces(e));
          }
        };
  }

  /** Answers a request in JSON. */
  public void json(byte[] body, HttpServletResponse response) throws IOException {
    Handler.HandlerResponse<String> answer = json.apply(new String(body, StandardCharsets.UTF_8));
    response.setContentType("application/json;charset=utf-8");
    response.setStatus(answer.getStatusCode());
    response.getOutputStream().write(answer.getResponse().getBytes(StandardCharsets.UTF_8));
  }

  /** Answers a request in Protocol Buffers. */
  public void protobuf(byte[] body, HttpServletResponse response) throws IOException {
    Handler.HandlerResponse<byte[]> answer = protobuf.apply(body);
    response.setContentType("application/octet-stream;charset=utf-8");
    response.setStatus(answer.getStatusCode());
    response.getOutputStream().write(answer.getResponse());
  }
}
