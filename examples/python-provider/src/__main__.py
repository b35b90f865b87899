"""tally, a planner for Querent in Python: it counts the rows of the table that a
question names, for all of it or for each value of a column.
"""

import json
import re

import serving
from querent.plugin.v1 import (error_pb2, plan_pb2, planner_pb2, planner_pb2_grpc, plugin_pb2, plugin_pb2_grpc)

# The host checks a configuration against this, before it starts the plugin.
SCHEMA = {
    "type": "object",
    "properties": {"label": {"type": "string", "description": "the heading of the count", "pattern": "^[a-z_]+$"}},
    "additionalProperties": False,
}


class Tally(plugin_pb2_grpc.PluginServicer, planner_pb2_grpc.PlannerServicer):
    """The services of the plugin. Calls may come at once, from several threads."""

    def __init__(self):
        self.label = "tally"

    @serving.call
    def Describe(self, request, context):
        return plugin_pb2.DescribeResponse(name="tally", version="0.1.0", services=["planner"], config_schema=json.dumps(SCHEMA))

    @serving.call
    def Configure(self, request, context):
        try:
            settings = json.loads(request.settings)
        except ValueError:
            settings = None
        if not isinstance(settings, dict) or not isinstance(settings.get("label", ""), str):
            raise serving.Failure(error_pb2.ERROR_KIND_MISCONFIGURED, "the settings are an object whose label is a text")
        self.label = settings.get("label", self.label)
        return plugin_pb2.ConfigureResponse()

    @serving.call
    def Health(self, request, context):
        return plugin_pb2.HealthResponse(ok=True)

    @serving.call
    def Stop(self, request, context):
        return plugin_pb2.StopResponse()

    @serving.call
    def Plan(self, request, context):
        asked = re.fullmatch(r"how many (\w+)(?: are there)?(?: (?:per|by) (\w+))?[?!. ]*", request.question, re.IGNORECASE)
        if not asked:
            return refusal(request)
        table = named(request.catalog.tables, asked.group(1))
        column = table and asked.group(2) and named(table.columns, asked.group(2))
        if not table or asked.group(2) and not column:
            return refusal(request)
        return self.count(request, table, column)

    def count(self, request, table, column):
        """The plan that counts. docs/plan-language.md is the language of its clauses."""
        clauses = plan_pb2.Clauses(**{"from": table.name, "select": [f"count(*) as {self.label}"]})
        reading = f"the number of {table.name}"
        if column:
            clauses.group.append(column.name)
            clauses.select.insert(0, column.name)
            clauses.order.append(f"{self.label} desc")
            reading += f" for each {column.name}"
        response = planner_pb2.PlanResponse(plan=plan_pb2.Plan(clauses=clauses), reading=reading)
        for word in words(request.question):
            used = next((thing.name for thing in (table, column) if thing and same(word, thing.name)), "")
            response.coverage.add(word=word, used=used)
        return response


def words(question):
    return re.findall(r"\w+", question)


def same(word, name):
    return word.casefold() == name.casefold()


def named(things, word):
    return next((thing for thing in things if same(word, thing.name)), None)


def refusal(request):
    """What was not understood, and questions that would be."""
    known = {"how", "many", "are", "there", "per", "by"} | {table.name.casefold() for table in request.catalog.tables}
    return planner_pb2.PlanResponse(refusal=planner_pb2.Refusal(
        reason="words_not_understood",
        not_understood=[word for word in words(request.question) if word.casefold() not in known],
        proposals=[f"How many {table.name}?" for table in request.catalog.tables[:3]],
    ))


def register(server):
    tally = Tally()
    plugin_pb2_grpc.add_PluginServicer_to_server(tally, server)
    planner_pb2_grpc.add_PlannerServicer_to_server(tally, server)


if __name__ == "__main__":
    serving.serve("tally", register)
