"""Prints what OpenUSD's validators say against USD files, a line each: checked.py FILE…"""

import sys

from pxr import Usd, UsdUtils, UsdValidation

registry = UsdValidation.ValidationRegistry()
validators = registry.GetOrLoadAllValidators()
# The wheel of OpenUSD comes without the definitions of shaders that these rules ask for.
validators = [one for one in validators if "ShaderSdr" not in one.GetMetadata().name]
context = UsdValidation.ValidationContext(validators)
for file in sys.argv[1:]:
    name = file.rsplit("/", 1)[-1]
    checker = UsdUtils.ComplianceChecker(arkit=file.endswith(".usdz"), skipVariants=False)
    checker._rules = [rule for rule in checker._rules if "ShaderProperty" not in type(rule).__name__]
    checker.CheckCompliance(file)
    for message in checker.GetErrors() + checker.GetFailedChecks() + checker.GetWarnings():
        print(f"{name}: {message}")
    for error in context.Validate(Usd.Stage.Open(file)):
        print(f"{name}: {error.GetName()}: {error.GetMessage()}")
